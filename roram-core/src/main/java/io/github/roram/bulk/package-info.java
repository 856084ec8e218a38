/**
 * Filling trees that are empty, in sequential passes (construction, section 2.3): {@link
 * BulkLoader} says which block goes into which bucket, and writes them.
 */
@NullMarked
package io.github.roram.bulk;

import org.jspecify.annotations.NullMarked;
