package io.github.roram.paging;

import io.github.roram.Oram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;

/**
 * Where the pages are that a memory does not hold. A page that was never written is all zeros.
 *
 * <p>Obligations: {@link #read} returns what was last written or fails; after a failed {@link
 * #write} the page is what it was or cannot be read until a write of it succeeds. Thread safety:
 * the memory above makes one call at a time.
 */
public interface PageStore extends Closeable {

  /** Bytes in a page: a power of two, 512 or more. */
  int pageBytes();

  /** Number of pages. */
  long pages();

  /**
   * Reads a page.
   *
   * @param target of {@link #pageBytes} bytes; undefined after a failure
   */
  void read(long page, byte[] target) throws IOException;

  /**
   * Writes a page.
   *
   * @param source of {@link #pageBytes} bytes, left as it is
   */
  void write(long page, byte[] source) throws IOException;

  /** Makes durable what was written, as far as the store promises that. */
  void flush() throws IOException;

  /** Gives up keys and buffers of its own. Idempotent. */
  @Override
  void close() throws IOException;

  /**
   * Pages that are the blocks of an ORAM. What is seen of a read or a write of a page is what that
   * scheme shows of an access.
   *
   * @param oram stays the caller's to close
   * @throws io.github.roram.ConfigurationException if its blocks are no power of two of bytes
   */
  static PageStore of(Oram oram) {
    return of(oram, 1);
  }

  /**
   * Pages of several blocks each, read and written as ranges.
   *
   * @param oram stays the caller's to close; blocks at its end that make no whole page are left
   *     alone
   * @param blocksPerPage 1 … {@link io.github.roram.OramConfig#maxRangeBlocks}, and no more than
   *     there are
   * @throws io.github.roram.ConfigurationException if there is no such range, or pages would be no
   *     power of two of bytes
   */
  static PageStore of(Oram oram, int blocksPerPage) {
    return new OramPages(oram, blocksPerPage);
  }

  /**
   * Pages that are sealed one by one and <em>not</em> hidden: every read and write shows which page
   * it is of. That is demand paging as enclaves have it without an ORAM, and what the price of one
   * is measured against. Lives as long as this object: versions and key are not kept.
   *
   * @param store of at least {@link #sealedBytes} bytes; stays the caller's to close
   * @param pages 1 … 2^28; each takes eight bytes of client memory
   * @param key copied; the caller closes his handle
   * @throws io.github.roram.ConfigurationException if a size is out of bounds or the store too
   *     small
   */
  static PageStore sealedWithoutOram(BlockStore store, long pages, int pageBytes, MasterKey key) {
    return new SealedPages(store, pages, pageBytes, key);
  }

  /** Bytes that a store for {@link #sealedWithoutOram} needs. */
  static long sealedBytes(long pages, int pageBytes) {
    return SealedPages.storeBytes(pages, pageBytes);
  }
}
