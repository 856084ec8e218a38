/**
 * Filling trees that are empty, in sequential passes (construction, section 2.3): {@link BulkPlan}
 * says which block goes into which bucket, {@link BulkLoader} writes them.
 */
@NullMarked
package io.github.roram.bulk;

import org.jspecify.annotations.NullMarked;
