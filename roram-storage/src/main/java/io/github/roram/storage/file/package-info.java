/**
 * A store in segment files, {@link SegmentFileStore}, and the client's vault next to them or, as a
 * {@link StateDirectory}, elsewhere. Several extents are read at the same time by {@link
 * ReadAhead}, as {@link ReadPace} finds it worth while; {@link DirectWrites} writes past the page
 * cache.
 */
@NullMarked
package io.github.roram.storage.file;

import org.jspecify.annotations.NullMarked;
