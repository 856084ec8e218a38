package io.github.roram.paging;

import io.github.roram.Oram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;

/**
 * Storage of the pages that a memory does not hold. A page that was never written is all zeros.
 *
 * <p>Obligations: {@link #read} returns what was last written or fails; after a failed {@link
 * #write} the page is unchanged, or cannot be read until a write of it succeeds. Thread safety: the
 * memory above makes one call at a time.
 */
public interface PageStore extends Closeable {

  /** Returns the bytes of a page: a power of two, 512 or more. */
  int pageBytes();

  /** Returns the number of pages. */
  long pages();

  /**
   * Reads a page.
   *
   * @param target receives {@link #pageBytes} bytes; undefined after a failure
   */
  void read(long page, byte[] target) throws IOException;

  /**
   * Writes a page.
   *
   * @param source the {@link #pageBytes} bytes, which do not change
   */
  void write(long page, byte[] source) throws IOException;

  /** Makes earlier writes durable, as far as the store guarantees durability. */
  void flush() throws IOException;

  /** Releases keys and buffers of its own. Idempotent. */
  @Override
  void close() throws IOException;

  /**
   * Returns pages that are the blocks of an ORAM. A read or write of a page shows what the ORAM's
   * scheme shows of an access.
   *
   * @param oram the ORAM, which the caller closes
   * @throws io.github.roram.ConfigurationException if the block size is not a power of two
   */
  static PageStore of(Oram oram) {
    return of(oram, 1);
  }

  /**
   * Returns pages of several blocks each, read and written as ranges.
   *
   * @param oram the ORAM, which the caller closes; blocks at its end that make no whole page are
   *     not used
   * @param blocksPerPage 1 … {@link io.github.roram.OramConfig#maxRangeBlocks}, and at most all
   *     blocks
   * @throws io.github.roram.ConfigurationException if there is no such range, or the page size
   *     would not be a power of two
   */
  static PageStore of(Oram oram, int blocksPerPage) {
    return new OramPages(oram, blocksPerPage);
  }

  /**
   * Returns pages that are sealed one by one and <em>not</em> hidden: every read and write shows
   * its page. This is demand paging of enclaves without an ORAM, the baseline for an ORAM's cost.
   * It lives as long as this object: versions and key are not stored.
   *
   * @param store a store of at least {@link #sealedBytes} bytes, which the caller closes
   * @param pages number of pages, 1 … 2^28; each takes eight bytes of client memory
   * @param key the key, which is copied; the caller closes its own handle
   * @throws io.github.roram.ConfigurationException if a size is out of bounds or the store too
   *     small
   */
  static PageStore sealedWithoutOram(BlockStore store, long pages, int pageBytes, MasterKey key) {
    return new SealedPages(store, pages, pageBytes, key);
  }

  /** Returns the bytes that a store for {@link #sealedWithoutOram} needs. */
  static long sealedBytes(long pages, int pageBytes) {
    return SealedPages.storeBytes(pages, pageBytes);
  }
}
