package io.github.roram.auditor.workload;

import io.github.roram.BlockProgram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.auditor.workload.Frontend.PromisedAccesses;
import io.github.roram.paging.PageStore;
import io.github.roram.paging.PagedMemory;
import io.github.roram.paging.PagingOptions;
import io.github.roram.paging.Replacement;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** How the requests of a client come to his ORAM: by calls of the library, or through a server. */
public abstract class Frontend {

  /**
   * The requests of a client. Every access that a request requires is declared to the recorder,
   * using only what the request may show; any further difference is a leak. For use by one thread.
   */
  public interface Requests extends Closeable {
    /** Reads blocks. */
    void read(long block, int count) throws IOException;

    /** Writes blocks. */
    void write(long block, ByteBuffer source) throws IOException;

    /** Reads bytes. */
    default void readBytes(long position, int bytes) throws IOException {
      throw new UnsupportedOperationException("keys and pages are whole");
    }

    /** Writes bytes. */
    default void writeBytes(long position, ByteBuffer source) throws IOException {
      throw new UnsupportedOperationException("keys and pages are whole");
    }

    /** Says that blocks are needed no more. */
    default void trim(long block, int count) throws IOException {
      throw new UnsupportedOperationException("memory, an index and a proxy have no trims");
    }

    /** Changes scattered blocks by a program. */
    default void access(long[] blocks, BlockProgram program) throws IOException {
      throw new UnsupportedOperationException("only the library has scattered blocks");
    }

    /** Ends what the frontend itself needs, and waits for it; may close the ORAM, which is next. */
    @Override
    void close() throws IOException;
  }

  /** Returns whether clients see a device. */
  public boolean isDevice() {
    return false;
  }

  /** Returns whether clients see memory of pages. */
  public boolean isPaging() {
    return false;
  }

  /** Returns whether clients see keys. */
  public boolean isMap() {
    return false;
  }

  /** Returns whether they are in order. */
  public boolean isSortedMap() {
    return false;
  }

  /** Returns whether it is no secret which requests write. */
  public boolean showsWrites() {
    return false;
  }

  /** Returns the options for opening an ORAM for this frontend. */
  public OpenOptions options(OpenOptions options, OramConfig config) {
    return options;
  }

  /** Returns the frontend of an open ORAM. */
  public abstract Requests to(Oram oram, ViewRecorder recorder) throws IOException;

  /** Returns the frontend of a memory of pages. */
  public static Frontend paging() {
    return new PagingFrontend();
  }

  /** Returns a map of keys. */
  public static Frontend map(boolean isSorted) {
    return new MapFrontend(isSorted);
  }

  /** Values of declared lengths, whose own store is watched, or that of the map of their keys. */
  public static Frontend values(boolean watchesKeys) {
    return new ValuesFrontend(watchesKeys);
  }

  /** Returns an index of words. */
  public static Frontend index() {
    return new IndexFrontend();
  }

  /** Calls of the library. */
  public static Frontend direct() {
    return new DirectCalls();
  }

  /** Calls of the library, and transfers through its channel. */
  static final class DirectCalls extends Frontend {

    @Override
    public Requests to(Oram oram, ViewRecorder recorder) {
      return new Calls(new RecordedOram(oram, recorder));
    }

    @Override
    public String toString() {
      return "the library";
    }

    private static final class Calls implements Requests {
      private final Oram oram;
      private final SeekableByteChannel channel;

      Calls(Oram oram) {
        this.oram = oram;
        channel = oram.channel();
      }

      @Override
      public void read(long block, int count) throws IOException {
        oram.read(block, count);
      }

      @Override
      public void write(long block, ByteBuffer source) throws IOException {
        oram.write(block, source);
      }

      @Override
      public void readBytes(long position, int bytes) throws IOException {
        channel.position(position);
        ByteBuffer target = ByteBuffer.allocate(bytes);
        while (target.hasRemaining() && channel.read(target) >= 0) {
          // Until all are there.
        }
      }

      @Override
      public void writeBytes(long position, ByteBuffer source) throws IOException {
        channel.position(position);
        while (source.hasRemaining()) {
          channel.write(source);
        }
      }

      @Override
      public void trim(long block, int count) throws IOException {
        oram.trim(block, count);
      }

      @Override
      public void access(long[] blocks, BlockProgram program) throws IOException {
        oram.access(blocks, program);
      }

      @Override
      public void close() {}
    }
  }

  /**
   * The accesses that a request of a device or a page fault is promised to make, worked out from
   * what may show of it: a device's from its length and whether it is aligned, as
   * docs/block-device.md says. They are declared one by one as the device makes accesses: one
   * access too many has no declaration of its own, and one too few leaves a declaration with
   * nothing to see, so that either differs from the other side of a pair.
   *
   * <p>Thread safety: safe, for one request at a time.
   */
  public static final class PromisedAccesses {

    private final OramConfig config;
    private final ViewRecorder recorder;

    /** Blocks of each. */
    private final Queue<Integer> promised = new ConcurrentLinkedQueue<>();

    private volatile boolean showsWhatIsMade;

    /** Creates the object with no access promised. */
    public PromisedAccesses(OramConfig config, ViewRecorder recorder) {
      this.config = config;
      this.recorder = recorder;
    }

    /** Promises an access of {@code count} blocks. */
    void promiseBlocks(int count) {
      promised.add(count);
    }

    /**
     * Sets whether the accesses that are made may show; if so, they are declared as they are made.
     */
    void showWhatIsMade(boolean shows) {
      showsWhatIsMade = shows;
    }

    /** Promises to read or write pages: an access of one block each. */
    void promisePages(int count) {
      for (int i = 0; i < count; i++) {
        promised.add(1);
      }
    }

    /** Promises the accesses of a device's request; {@code bytes} is at least 1. */
    public void promise(long offset, int bytes) {
      long left = Math.min(config.blocks(), blocks(offset, bytes, config.blockBytes()));
      for (; left > 0; left -= config.maxRangeBlocks()) {
        promised.add((int) Math.min(left, config.maxRangeBlocks()));
      }
    }

    /**
     * Returns the most blocks that a request of this length can touch if it begins at a multiple of
     * the largest power of two that divides its length and a block; or anywhere, if it does not
     * begin at one.
     */
    private static long blocks(long offset, int bytes, int blockBytes) {
      int unit = Integer.lowestOneBit(blockBytes | bytes);
      int step = offset % unit == 0 ? unit : 1;
      return ((long) blockBytes - step + bytes + blockBytes - 1) / blockBytes;
    }

    /** Declares an access of the device, whatever its length. */
    public void declareNext(int made) {
      declare(showsWhatIsMade ? (Integer) made : promised.poll());
    }

    /** Declares the promised accesses that were not made, because the request was answered. */
    public void declareRest() {
      while (!promised.isEmpty()) {
        declare(promised.poll());
      }
    }

    private void declare(@Nullable Integer blocks) {
      if (blocks != null) {
        recorder.access(config.parameters().shownBlocks(blocks));
      }
    }
  }

  /**
   * Through oblivious paging: requests are for memory, and each is a page fault. A fault is
   * promised to write a page, once the working set is full, and to read one, whichever they are;
   * closing writes all that are held.
   */
  static final class PagingFrontend extends Frontend {

    /** Pages that are held, the last ones that were touched; others are faults. */
    static final int WORKING_SET_PAGES = 15;

    private final BiFunction<Oram, ViewRecorder, PageStore> pages;
    private final boolean revealsCleanPages;

    /** Pages that are blocks of the ORAM. */
    PagingFrontend() {
      this((oram, recorder) -> PageStore.of(oram), false);
    }

    /** Pages of another kind, or of which it shows whether they were changed: that may leak. */
    PagingFrontend(BiFunction<Oram, ViewRecorder, PageStore> pages, boolean revealsCleanPages) {
      this.pages = pages;
      this.revealsCleanPages = revealsCleanPages;
    }

    @Override
    public boolean isPaging() {
      return true;
    }

    @Override
    public Requests to(Oram oram, ViewRecorder recorder) {
      PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
      RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
      PagingOptions options =
          PagingOptions.defaults()
              .withWorkingSetPages(WORKING_SET_PAGES)
              .withReplacement(Replacement.LRU)
              .withRevealCleanPages(revealsCleanPages);
      PagedMemory memory = PagedMemory.over(pages.apply(recorded, recorder), options);
      return new Faults(memory, promised);
    }

    @Override
    public String toString() {
      return "paging";
    }

    /** Each request is of a page, and a fault unless that is held. */
    private static final class Faults implements Requests {
      private final PagedMemory memory;
      private final PromisedAccesses promised;

      /** The page that goes next comes first. */
      private final Set<Long> held = new LinkedHashSet<>();

      Faults(PagedMemory memory, PromisedAccesses promised) {
        this.memory = memory;
        this.promised = promised;
      }

      @Override
      public void read(long block, int count) {
        touch(block);
        memory.getByte(block * memory.pageBytes());
        promised.declareRest();
      }

      @Override
      public void write(long block, ByteBuffer source) {
        touch(block);
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        memory.put(block * memory.pageBytes(), bytes, 0, bytes.length);
        promised.declareRest();
      }

      private void touch(long page) {
        boolean fault = !held.remove(page);
        if (fault) {
          promised.promisePages(held.size() == WORKING_SET_PAGES ? 2 : 1);
          if (held.size() == WORKING_SET_PAGES) {
            held.remove(held.iterator().next());
          }
        }
        held.add(page);
      }

      @Override
      public void close() throws IOException {
        promised.promisePages(held.size());
        memory.close();
        promised.declareRest();
      }
    }
  }
}
