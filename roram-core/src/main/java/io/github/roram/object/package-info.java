/**
 * What roram asks of an engine that keeps objects: one small contract, {@link ObjectSpace}, on
 * which a store stands, {@link ObjectStore}. An engine is one class; what all of them have in
 * common is shared and tested once.
 */
@NullMarked
package io.github.roram.object;

import org.jspecify.annotations.NullMarked;
