package io.github.roram.paging;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Pages in an array, which remembers what it was asked for and fails when told to. */
final class ArrayPages implements PageStore {

  private final int pageBytes;
  private final byte[][] pages;
  final List<String> seen = new ArrayList<>();
  int callsUntilFailure = Integer.MAX_VALUE;

  /** Of reads and writes, once they are made. */
  int callsUntilError = Integer.MAX_VALUE;

  ArrayPages(int pages, int pageBytes) {
    this.pages = new byte[pages][pageBytes];
    this.pageBytes = pageBytes;
  }

  private void call(String what) throws IOException {
    seen.add(what);
    if (--callsUntilFailure < 0) {
      callsUntilFailure = Integer.MAX_VALUE;
      throw new IOException("told to fail: " + what);
    }
  }

  private void made() {
    if (--callsUntilError < 0) {
      callsUntilError = Integer.MAX_VALUE;
      throw new OutOfMemoryError("injected");
    }
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long pages() {
    return pages.length;
  }

  @Override
  public void read(long page, byte[] target) throws IOException {
    call("read " + page);
    System.arraycopy(pages[(int) page], 0, target, 0, pageBytes);
    made();
  }

  @Override
  public void write(long page, byte[] source) throws IOException {
    call("write " + page);
    System.arraycopy(source, 0, pages[(int) page], 0, pageBytes);
    made();
  }

  @Override
  public void flush() throws IOException {
    call("flush");
  }

  @Override
  public void close() {}
}
