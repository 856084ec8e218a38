/** Audits of block devices: workloads that run over NBD. */
@NullMarked
package io.github.roram.auditor.nbd;

import org.jspecify.annotations.NullMarked;
