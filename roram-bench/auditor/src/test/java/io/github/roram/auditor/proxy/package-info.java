/** Tests of audits through a proxy. */
@NullMarked
package io.github.roram.auditor.proxy;

import org.jspecify.annotations.NullMarked;
