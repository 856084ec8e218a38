/**
 * A store in segment files, {@link SegmentFileStore}, and the client's vault next to them or, as a
 * {@link StateDirectory}, elsewhere. {@link ReadAhead} reads several extents concurrently, as many
 * as {@link ReadPace} finds worthwhile; {@link DirectWrites} bypasses the page cache.
 */
@NullMarked
package io.github.roram.storage.file;

import org.jspecify.annotations.NullMarked;
