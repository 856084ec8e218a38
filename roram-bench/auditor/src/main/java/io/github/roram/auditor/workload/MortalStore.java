package io.github.roram.auditor.workload;

import io.github.roram.storage.FilterBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;

/** A store as a client has it who may die. Not to be closed: it outlives the client. */
final class MortalStore extends FilterBlockStore {

  private final Lifeline life;

  MortalStore(BlockStore delegate, Lifeline life) {
    super(delegate);
    this.life = life;
  }

  /** Nothing can be made up for a client that is buried, so it is told that it is dead. */
  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    if (!life.enter()) {
      throw new Lifeline.Dead();
    }
    try {
      delegate.read(batch, sink);
    } finally {
      life.leave();
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    if (life.enter()) {
      try {
        delegate.write(batch, source);
      } finally {
        life.leave();
      }
    }
  }

  @Override
  public void sync() throws IOException {
    if (life.enter()) {
      try {
        delegate.sync();
      } finally {
        life.leave();
      }
    }
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("the store outlives its client");
  }
}
