package io.github.roram.auditor.judge;

import io.github.roram.storage.FilterBlockStore;
import io.github.roram.storage.view.Action;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;

/** A store of which every request is seen. */
final class SeenStore extends FilterBlockStore {

  /** Is told of every extent. */
  interface Watcher {
    void saw(Action action, long request, long offset, long bytes);
  }

  private final Watcher watcher;
  private long requests;

  SeenStore(BlockStore delegate, Watcher watcher) {
    super(delegate);
    this.watcher = watcher;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    see(Action.READ, batch);
    delegate.read(batch, sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    see(Action.WRITE, batch);
    delegate.write(batch, source);
  }

  @Override
  public void sync() throws IOException {
    watcher.saw(Action.SYNC, ++requests, 0, 0);
    delegate.sync();
  }

  private void see(Action action, ExtentBatch batch) {
    requests++;
    for (int i = 0; i < batch.extents(); i++) {
      watcher.saw(action, requests, batch.offset(i), batch.bytes(i));
    }
  }
}
