/**
 * Stores in an engine that keeps objects: one small contract for engines, {@link ObjectSpace}, and
 * a store on top of it, {@link ObjectStore}. An engine is one class; code common to all engines is
 * shared and tested once.
 */
@NullMarked
package io.github.roram.object;

import org.jspecify.annotations.NullMarked;
