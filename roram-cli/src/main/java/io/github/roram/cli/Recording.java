package io.github.roram.cli;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.open.Orams;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.RecordedStore;
import io.github.roram.storage.view.RecordedVault;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.storage.view.ViewWriter;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A view that is recorded while a command works: what the store and the vault's disk see. */
final class Recording implements Closeable {

  private final ViewWriter writer;
  private final ViewRecorder recorder;
  private final RecordedStore store;

  private Recording(ViewWriter writer, BlockStore store) {
    this.writer = writer;
    recorder = new ViewRecorder(writer);
    this.store = new RecordedStore(store, recorder);
  }

  /** Begins a file; one that is there stays until this is closed. */
  static Recording start(Path file, BlockStore store) throws IOException {
    OramConfig config = Orams.inspect(store).config();
    ByteBuffer layout = ByteBuffer.wrap(Orams.layout(store));
    return new Recording(ViewWriter.create(file, config, layout), store);
  }

  BlockStore store() {
    return store;
  }

  ClientVault vault(ClientVault vault) {
    return new RecordedVault(vault, recorder);
  }

  /** The ORAM, whose accesses give the view its logical time. */
  Oram oram(Oram oram) {
    return new RecordedOram(oram, recorder);
  }

  /** Ends without a file. */
  void drop() throws IOException {
    writer.drop();
  }

  /** Ends the file. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
