/**
 * Stores that are spread over several others, for seeks at the same time (rORAM, §VIII-A): {@link
 * StripedStore}, with the level of a tree that each part of it holds in {@link StripePlacement}.
 */
@NullMarked
package io.github.roram.storage.striped;

import org.jspecify.annotations.NullMarked;
