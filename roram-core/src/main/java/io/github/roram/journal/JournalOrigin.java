package io.github.roram.journal;

import io.github.roram.checkpoint.RecordId;
import java.util.UUID;

/**
 * Where a client begins to keep a journal.
 *
 * @param generation its first generation
 * @param state id of the saved state that this generation follows
 * @param epoch the key epoch that begins with it
 * @param epochSalt the salt of that epoch
 */
public record JournalOrigin(long generation, RecordId state, int epoch, UUID epochSalt) {}
