package io.github.roram.detwo;

import io.github.roram.cipher.Nonces;
import io.github.roram.engine.Transfer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A page to be written: the name of its source, its own name, and its bytes, which are first those
 * of the source and then those to be written. A refresh opens a page and seals it under another
 * name; a write lays the caller's bytes over the block's old content.
 *
 * <p>Used by one thread at a time, except {@link #isDone}.
 */
final class PageJob {

  private static final int NOT_WRITTEN = -1;

  private byte[] bytes;
  private final Page source = new Page();
  private final Page target = new Page();
  private int writtenBlock;
  private volatile boolean done;

  PageJob(int pageBytes) {
    bytes = new byte[pageBytes];
  }

  /** Becomes a refresh; the caller then names {@link #source} and {@link #target}. */
  PageJob refresh() {
    writtenBlock = NOT_WRITTEN;
    done = false;
    return this;
  }

  /** Becomes a write of a block; there is no {@link #source} if the whole block is written. */
  PageJob write(int block) {
    writtenBlock = block;
    done = false;
    return this;
  }

  /** Returns whether it puts a block back into the main area. */
  boolean isRefresh() {
    return writtenBlock == NOT_WRITTEN;
  }

  /** Returns whether it was run; what it gives may be taken by any thread then. */
  boolean isDone() {
    return done;
  }

  /** Returns what is opened; none for a block of zeros. */
  Page source() {
    return source;
  }

  /** Returns what is sealed. */
  Page target() {
    return target;
  }

  /** Takes the source's bytes, which are next in the buffer. */
  void take(ByteBuffer units) {
    units.get(bytes);
  }

  /** Takes over an array with the source's bytes; returns the array that it replaces. */
  byte[] exchange(byte[] sourceBytes) {
    byte[] before = bytes;
    bytes = sourceBytes;
    return before;
  }

  /** Puts the target's bytes into a buffer. */
  void give(ByteBuffer units) {
    units.put(bytes);
  }

  /**
   * Opens, changes and seals the block; a block that is written whole is sealed from where it is.
   *
   * @param nonces the nonces of all jobs that are run together
   * @param number the job's number among them
   * @param block memory for the block
   * @param transfer the source of written bytes
   * @throws io.github.roram.IntegrityException if the source is not the page that it should be
   */
  void run(PageCodec codec, Nonces nonces, int number, byte[] block, @Nullable Transfer transfer) {
    byte[] memory = transfer == null || isRefresh() ? null : transfer.memoryOf(writtenBlock);
    if (transfer != null && memory != null) {
      codec.seal(memory, transfer.indexOf(writtenBlock), target, nonces, number, bytes);
      done = true;
      return;
    }
    if (source.exists()) {
      codec.open(bytes, source, block);
    } else if (transfer == null || isRefresh() || !transfer.isWhole(writtenBlock)) {
      Arrays.fill(block, (byte) 0);
    }
    if (!isRefresh() && transfer != null) {
      transfer.move(writtenBlock, block, 0);
    }
    codec.seal(block, 0, target, nonces, number, bytes);
    done = true;
  }
}
