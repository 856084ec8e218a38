/**
 * Pairs of workloads that must look alike, and runs of them on any store, of which everything that
 * an observer sees is recorded.
 */
@NullMarked
package io.github.roram.auditor.workload;

import org.jspecify.annotations.NullMarked;
