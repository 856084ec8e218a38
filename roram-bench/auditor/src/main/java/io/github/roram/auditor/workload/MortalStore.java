package io.github.roram.auditor.workload;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
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

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    life.check();
    delegate.read(batch, sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    life.check();
    delegate.write(batch, source);
  }

  @Override
  public void sync() throws IOException {
    life.check();
    delegate.sync();
  }

  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    life.check();
    delegate.keepWatermark(watermark, durably);
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("the store outlives its client");
  }
}
