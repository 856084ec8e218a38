/**
 * What a scheme is to the rest: a {@link SchemeProvider}, which makes an {@link Engine}, which
 * makes accesses. What else an engine can do it says by the interfaces that it implements: {@link
 * Journalled} or, without trees, {@link Noting}; {@link Verifiable}, {@link Scannable}, {@link
 * BulkLoadable}, {@link Rekeyable}, {@link Overlapping}. A {@link Transfer} is what an access does
 * with its blocks: bytes out of them, or over them. Without data ({@code pattern.PayloadFree}) the
 * same engines count what a configuration costs.
 */
@NullMarked
package io.github.roram.engine;

import org.jspecify.annotations.NullMarked;
