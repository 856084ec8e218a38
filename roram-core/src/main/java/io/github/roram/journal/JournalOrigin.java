package io.github.roram.journal;

import io.github.roram.checkpoint.RecordId;
import java.util.UUID;

/**
 * Where a client begins to keep a journal: with a state that it saves first, or where the journal
 * that it replayed ends.
 *
 * @param generation its first generation
 * @param state id of the saved state that this generation follows
 * @param epoch the key epoch that begins with it
 * @param epochSalt the salt of that epoch
 * @param before the end of the journal that it goes on with, or {@link JournalLink#NONE}
 */
public record JournalOrigin(
    long generation, RecordId state, int epoch, UUID epochSalt, JournalLink before) {}
