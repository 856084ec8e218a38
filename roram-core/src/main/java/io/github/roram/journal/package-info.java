/**
 * The client's journal (construction, section 6): what must survive a crash between two
 * checkpoints.
 *
 * <ul>
 *   <li>intents, accesses, commits: {@link Journal}, {@link Intent}, {@link JournalWriter}; their
 *       bytes: {@link JournalRecord}, {@link IntentDescriptor}
 *   <li>generations, one for each checkpoint: {@link JournalGenerations}; how they are chained into
 *       one journal: {@link JournalChain}
 *   <li>recovery: {@link JournalFiles}, {@link JournalReader}, {@link JournalReplay}
 * </ul>
 *
 * <p>Reads are numbered, and several may be pending; accesses complete in the order of their
 * numbers, and recovery repeats all pending reads, oldest first.
 */
@NullMarked
package io.github.roram.journal;

import org.jspecify.annotations.NullMarked;
