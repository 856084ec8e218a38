package io.github.roram.session;

import io.github.roram.engine.TrimmedBlocks;
import io.github.roram.journal.Intent;
import io.github.roram.journal.JournalReplay;
import io.github.roram.journal.ReplayCheck;
import java.io.DataInput;
import java.io.IOException;

/**
 * Repeats on the trimmed blocks what the journal says: trims add blocks, writes remove them.
 * Everything else goes to the engine's replay; once the store has grown, to that of the new engine.
 */
final class TrimReplay implements JournalReplay {

  private JournalReplay engine;
  private final TrimmedBlocks trimmed;
  private long blocks;
  private final Growth growth;

  /** Grows the store again as the journal says. */
  @FunctionalInterface
  interface Growth {
    /** Returns the replay of the engine that the store has from then on. */
    JournalReplay to(long blocks) throws IOException;
  }

  /** Creates a replay of an ORAM that has {@code blocks} blocks at first. */
  TrimReplay(JournalReplay engine, TrimmedBlocks trimmed, long blocks, Growth growth) {
    this.engine = engine;
    this.trimmed = trimmed;
    this.blocks = blocks;
    this.growth = growth;
  }

  @Override
  public void grown(long more) throws IOException {
    engine = growth.to(more);
    blocks = more;
  }

  @Override
  public void trimmed(int first, int count) {
    if (first < 0 || count < 1 || first > blocks - count) {
      throw ReplayCheck.refused("trims " + count + " blocks from " + first + " on, of " + blocks);
    }
    trimmed.add(first, count);
  }

  @Override
  public void written(int address, DataInput data) throws IOException {
    engine.written(address, data);
    trimmed.remove(address);
  }

  @Override
  public boolean note(DataInput note) throws IOException {
    return engine.note(note);
  }

  @Override
  public void intent(Intent intent) {
    engine.intent(intent);
  }

  @Override
  public void lookedUp(long number, int tree, DataInput data) throws IOException {
    engine.lookedUp(number, tree, data);
  }

  @Override
  public void complete(long number, int tree) {
    engine.complete(number, tree);
  }

  @Override
  public void arrived(int tree, int address, DataInput data) throws IOException {
    engine.arrived(tree, address, data);
  }

  @Override
  public void evicted(int tree, int paths, int epoch) {
    engine.evicted(tree, paths, epoch);
  }

  @Override
  public void left(int tree, int address) {
    engine.left(tree, address);
  }

  @Override
  public void tombstonesLeft(int tree, DataInput data) throws IOException {
    engine.tombstonesLeft(tree, data);
  }
}
