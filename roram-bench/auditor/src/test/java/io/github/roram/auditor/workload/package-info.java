/** Tests of the workloads and of their runs. */
@NullMarked
package io.github.roram.auditor.workload;

import org.jspecify.annotations.NullMarked;
