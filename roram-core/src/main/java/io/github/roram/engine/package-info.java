/**
 * The contracts of a scheme: a {@link SchemeProvider} creates an {@link Engine}, which makes
 * accesses. An engine declares further abilities by the interfaces that it implements: {@link
 * Journalled} or, without trees, {@link Noting}; {@link Verifiable}, {@link Scannable}, {@link
 * BulkLoadable}, {@link Rekeyable}, {@link Overlapping}. {@link WholeState} tells whether an error
 * ended a change in the middle. A {@link Transfer} is the work of an access on its blocks: it
 * copies bytes from them or to them. Without data ({@code pattern.PatternStore}) the same engines
 * count the costs of a configuration.
 */
@NullMarked
package io.github.roram.engine;

import org.jspecify.annotations.NullMarked;
