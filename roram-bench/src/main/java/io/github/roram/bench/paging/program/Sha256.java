package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.paging.Memory;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of all pages, by the JDK's implementation: the paper's {@code Sha_256}.
 *
 * @param pages of 4 KiB
 */
public record Sha256(int pages) implements Program {

  private static final int PAGE_BYTES = 4096;
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  @Override
  public String id() {
    return "sha-256";
  }

  @Override
  public String description() {
    return "SHA-256 of " + pages + " pages";
  }

  @Override
  public long bytes() {
    return (long) pages * PAGE_BYTES;
  }

  @Override
  public Run start(Memory memory) {
    byte[] page = new byte[PAGE_BYTES];
    for (int number = 0; number < pages; number++) {
      ByteBuffer words = ByteBuffer.wrap(page);
      while (words.hasRemaining()) {
        words.putLong((words.position() + number) * MULTIPLIER);
      }
      memory.put((long) number * PAGE_BYTES, page, 0, PAGE_BYTES);
    }
    return new Hashing(memory, digest(), pages);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  private static final class Hashing implements Run {
    private final Memory memory;
    private final MessageDigest digest;
    private final byte[] page = new byte[PAGE_BYTES];
    private final int pages;
    private int next;
    private long result;

    Hashing(Memory memory, MessageDigest digest, int pages) {
      this.memory = memory;
      this.digest = digest;
      this.pages = pages;
    }

    @Override
    public boolean step() {
      if (next < pages) {
        memory.get((long) next * PAGE_BYTES, page, 0, PAGE_BYTES);
        digest.update(page);
        next++;
        return true;
      }
      if (next == pages) {
        next++;
        result = ByteBuffer.wrap(digest.digest()).getLong();
      }
      return false;
    }

    @Override
    public long result() {
      return result;
    }
  }
}
