package io.github.roram.paging;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pages that are ranges of blocks of an ORAM. Not thread safe. */
final class OramPages implements PageStore {

  private final Oram oram;
  private final int blocksPerPage;
  private final int pageBytes;

  OramPages(Oram oram, int blocksPerPage) {
    long longest = Math.min(oram.config().maxRangeBlocks(), oram.config().blocks());
    if (blocksPerPage < 1 || blocksPerPage > longest) {
      throw new ConfigurationException(
          "blocksPerPage is "
              + blocksPerPage
              + ", must be 1 to "
              + longest
              + ", the longest range of this ORAM");
    }
    this.oram = oram;
    this.blocksPerPage = blocksPerPage;
    pageBytes = PagedMemory.checkedPageBytes((long) blocksPerPage * oram.config().blockBytes());
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long pages() {
    return oram.config().blocks() / blocksPerPage;
  }

  @Override
  public void read(long page, byte[] target) throws IOException {
    oram.read(page * blocksPerPage, blocksPerPage, ByteBuffer.wrap(target));
  }

  @Override
  public void write(long page, byte[] source) throws IOException {
    oram.write(page * blocksPerPage, ByteBuffer.wrap(source));
  }

  @Override
  public void flush() throws IOException {
    oram.flush();
  }

  @Override
  public void close() {
    // The opener of the ORAM closes it.
  }
}
