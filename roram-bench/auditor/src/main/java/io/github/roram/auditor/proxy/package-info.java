/** Audits of proxies: workloads whose requests a proxy passes on. */
@NullMarked
package io.github.roram.auditor.proxy;

import org.jspecify.annotations.NullMarked;
