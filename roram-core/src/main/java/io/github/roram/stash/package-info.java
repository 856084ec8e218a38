/**
 * Blocks that the client holds (rORAM, §III-B and §V): those of the treetop, those that wait for
 * their eviction, and those that no bucket could take. Accesses pin the ranges that they read, so
 * that evictions leave them there, and each block has a stamp, so that an eviction removes only
 * what is as it was offered.
 */
@NullMarked
package io.github.roram.stash;

import org.jspecify.annotations.NullMarked;
