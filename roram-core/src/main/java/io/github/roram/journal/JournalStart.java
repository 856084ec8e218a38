package io.github.roram.journal;

import io.github.roram.checkpoint.RecordId;
import java.util.UUID;

/**
 * What a generation belongs to: its first record. See {@link JournalChain} for what is made of it.
 *
 * @param epoch the key epoch in which the client began to keep this journal
 * @param epochSalt the salt of that epoch, which no other life of the client drew
 * @param state id of the state that was saved with this generation, or was to be
 * @param before the end of the generation before, or {@link JournalLink#NONE}
 */
record JournalStart(int epoch, UUID epochSalt, RecordId state, JournalLink before) {}
