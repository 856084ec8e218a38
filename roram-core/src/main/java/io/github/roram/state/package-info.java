/**
 * The records that the client saves between two openings ({@link ClientRecords}), and the
 * superblock, which everyone may read ({@link SuperblockDescriptor}).
 */
@NullMarked
package io.github.roram.state;

import org.jspecify.annotations.NullMarked;
