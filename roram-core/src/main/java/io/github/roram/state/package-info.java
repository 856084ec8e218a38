/**
 * The records that the client saves between two openings ({@link ClientRecords}), whether a restore
 * or a copy has completed them ({@link Completeness}), and the superblock, which everyone may read
 * ({@link SuperblockDescriptor}).
 */
@NullMarked
package io.github.roram.state;

import org.jspecify.annotations.NullMarked;
