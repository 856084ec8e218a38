package io.github.roram.paging;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.Nonces;
import io.github.roram.cipher.RecordCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SystemRandom;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Demand paging without an ORAM: page i is sealed at place i, after its nonce, by AES-256-GCM under
 * a key of this object alone. Writes of all pages are counted, and the client remembers the number
 * of each page's last write, which is authenticated, so that older or other pages do not open.
 * Nonces are {@linkplain Nonces fresh} for each write. Not thread safe.
 *
 * <h2>Security</h2>
 *
 * Data and freshness are protected. Which page is read or written is <em>not</em> hidden.
 */
final class SealedPages implements PageStore {

  private static final long MOST_PAGES = 1 << 28;
  private static final String PURPOSE = "sealed pages";
  private static final int SALT_BYTES = 16;
  private static final int TREE = 0;
  private static final long NEVER = 0;

  private final BlockStore store;
  private final int pageBytes;
  private final RecordCipher cipher;
  private final ExtentBatch batch = new ExtentBatch();
  private final byte[] nonce = new byte[Nonces.BYTES];
  private final byte[] associated = new byte[2 * Long.BYTES];
  private final byte[] sealed;
  private final long[] lastWrite;
  private long writes = NEVER;

  SealedPages(BlockStore store, long pages, int pageBytes, MasterKey key) {
    long needed = storeBytes(pages, pageBytes);
    if (store.capacityBytes() < needed) {
      throw new ConfigurationException(
          "the store has "
              + store.capacityBytes()
              + " bytes, "
              + pages
              + " sealed pages need "
              + needed
              + "; make it larger");
    }
    this.store = store;
    this.pageBytes = pageBytes;
    sealed = new byte[sealedBytes(pageBytes)];
    lastWrite = new long[(int) pages];
    byte[] salt = new byte[SALT_BYTES];
    SystemRandom.fill(salt);
    cipher = new RecordCipher(key, PURPOSE, salt);
  }

  static long storeBytes(long pages, int pageBytes) {
    PagedMemory.checkedPageBytes(pageBytes);
    if (pages < 1 || pages > MOST_PAGES) {
      throw new ConfigurationException("pages is " + pages + ", must be 1 to " + MOST_PAGES);
    }
    return pages * sealedBytes(pageBytes);
  }

  private static int sealedBytes(int pageBytes) {
    return Nonces.BYTES + pageBytes + BucketCipher.TAG_BYTES;
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long pages() {
    return lastWrite.length;
  }

  @Override
  public void read(long page, byte[] target) throws IOException {
    long write = lastWrite[Math.toIntExact(page)];
    if (write == NEVER) {
      Arrays.fill(target, (byte) 0);
      return;
    }
    store.read(extent(IoPhase.READ, page), (unit, bytes) -> bytes.get(sealed));
    System.arraycopy(sealed, 0, nonce, 0, Nonces.BYTES);
    int bytes = sealed.length - Nonces.BYTES;
    if (!cipher.open(nonce, associated(page, write), sealed, Nonces.BYTES, bytes, target)) {
      throw new IntegrityException(
          "page " + page + " is not the one that was last written; the store changed it");
    }
  }

  @Override
  public void write(long page, byte[] source) throws IOException {
    // A number that was tried is not used again, whether the store took the page or not.
    long write = ++writes;
    Nonces.fresh().put(0, ByteBuffer.wrap(nonce), 0);
    System.arraycopy(nonce, 0, sealed, 0, Nonces.BYTES);
    cipher.seal(nonce, associated(page, write), source, pageBytes, sealed, Nonces.BYTES);
    store.write(extent(IoPhase.EVICT_WRITE, page), (unit, bytes) -> bytes.put(sealed));
    lastWrite[Math.toIntExact(page)] = write;
  }

  private ExtentBatch extent(IoPhase phase, long page) {
    batch.reset(phase, TREE, sealed.length).add(page * sealed.length, 1);
    return batch;
  }

  private byte[] associated(long page, long write) {
    ByteBuffer.wrap(associated).putLong(page).putLong(write);
    return associated;
  }

  @Override
  public void flush() throws IOException {
    store.sync();
  }

  @Override
  public void close() {
    cipher.close();
    Arrays.fill(sealed, (byte) 0);
  }
}
