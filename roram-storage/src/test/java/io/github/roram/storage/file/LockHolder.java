package io.github.roram.storage.file;

import java.io.IOException;
import java.nio.file.Path;

/** Another process that opens a store, says so with an L, and keeps it open until it is killed. */
final class LockHolder {

  private LockHolder() {}

  public static void main(String[] args) throws IOException {
    SegmentFileStore store = SegmentFileStore.open(Path.of(args[0]), FileOptions.defaults());
    System.out.print('L');
    System.out.flush();
    int end = System.in.read();
    store.close();
    System.exit(end < 0 ? 0 : 1);
  }
}
