/**
 * Blocks that the client holds (rORAM, §III-B and §V): those of the treetop, those waiting for
 * their eviction, and those that did not fit into a bucket. Accesses pin the ranges that they read,
 * so that evictions leave these in the stash. Each block has a stamp, so that an eviction removes
 * only blocks that have not changed since they were offered.
 */
@NullMarked
package io.github.roram.stash;

import org.jspecify.annotations.NullMarked;
