package io.github.roram.detwo;

import io.github.roram.cipher.Nonces;
import io.github.roram.engine.Transfer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One page that is to be written: what it is made of, and its bytes, those that were read first and
 * those that are written then. A refresh opens a page and seals it under another name; a write lays
 * the caller's bytes over what the block held.
 *
 * <p>Used by one thread at a time, but for {@link #isDone}.
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

  /** Becomes a refresh; {@link #source} and {@link #target} are to be named. */
  PageJob refresh() {
    writtenBlock = NOT_WRITTEN;
    done = false;
    return this;
  }

  /** Becomes a write of a block; {@link #source} is to be none where the whole block is written. */
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

  /** Takes the source's bytes, the next ones of a buffer. */
  void take(ByteBuffer units) {
    units.get(bytes);
  }

  /** Takes an array that holds the source's bytes; returns the one that it had. */
  byte[] exchange(byte[] sourceBytes) {
    byte[] before = bytes;
    bytes = sourceBytes;
    return before;
  }

  /** Gives the target's bytes. */
  void give(ByteBuffer units) {
    units.put(bytes);
  }

  /**
   * Opens, changes and seals; what is written whole is sealed where it is.
   *
   * @param nonces those of all jobs that are run together
   * @param number of the job among them
   * @param block memory for the block
   * @param transfer where written bytes come from
   * @throws io.github.roram.IntegrityException if the source is not what it should be
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
