package io.github.roram.auditor.workload;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.paging.PageStore;
import io.github.roram.paging.PagedMemory;
import io.github.roram.paging.PagingOptions;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BiFunction;

/**
 * Through oblivious paging: requests are for memory, and each is a page fault. A fault is promised
 * to write a page, once the working set is full, and to read one, whichever they are; closing
 * writes all that are held.
 */
final class PagingWay implements Way {

  /** Pages that are held; who touches others only has a fault each time. */
  static final int WORKING_SET_PAGES = 15;

  private final BiFunction<Oram, ViewRecorder, PageStore> pages;
  private final boolean revealsCleanPages;

  /** Pages that are blocks of the ORAM. */
  PagingWay() {
    this((oram, recorder) -> PageStore.of(oram), false);
  }

  /** Pages of another kind, or of which it shows whether they were changed: that may leak. */
  PagingWay(BiFunction<Oram, ViewRecorder, PageStore> pages, boolean revealsCleanPages) {
    this.pages = pages;
    this.revealsCleanPages = revealsCleanPages;
  }

  @Override
  public boolean isPaging() {
    return true;
  }

  @Override
  public OpenOptions options(OpenOptions options, OramConfig config) {
    return options;
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) {
    PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
    RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
    PagingOptions options =
        PagingOptions.defaults()
            .withWorkingSetPages(WORKING_SET_PAGES)
            .withRevealCleanPages(revealsCleanPages);
    PagedMemory memory = PagedMemory.over(pages.apply(recorded, recorder), options);
    return new Faults(memory, promised);
  }

  @Override
  public String toString() {
    return "paging";
  }

  /** Each request is one of a page that is not held. */
  private static final class Faults implements Requests {
    private final PagedMemory memory;
    private final PromisedAccesses promised;
    private int held;

    Faults(PagedMemory memory, PromisedAccesses promised) {
      this.memory = memory;
      this.promised = promised;
    }

    @Override
    public void read(long block, int count) {
      fault();
      memory.getByte(block * memory.pageBytes());
      promised.declareRest();
    }

    @Override
    public void write(long block, ByteBuffer source) {
      fault();
      byte[] bytes = new byte[source.remaining()];
      source.get(bytes);
      memory.put(block * memory.pageBytes(), bytes, 0, bytes.length);
      promised.declareRest();
    }

    private void fault() {
      promised.promisePages(held == WORKING_SET_PAGES ? 2 : 1);
      held = Math.min(WORKING_SET_PAGES, held + 1);
    }

    @Override
    public void readBytes(long position, int bytes) {
      throw new UnsupportedOperationException("a fault is of one page");
    }

    @Override
    public void writeBytes(long position, ByteBuffer source) {
      throw new UnsupportedOperationException("a fault is of one page");
    }

    @Override
    public void trim(long block, int count) {
      throw new UnsupportedOperationException("memory has no trims");
    }

    @Override
    public void close() throws IOException {
      promised.promisePages(held);
      memory.close();
      promised.declareRest();
    }
  }
}
