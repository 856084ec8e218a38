package example.paging;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.paging.MemoryView;
import io.github.roram.paging.PageStore;
import io.github.roram.paging.PagedMemory;
import io.github.roram.paging.PagingOptions;
import io.github.roram.paging.PagingStats;
import io.github.roram.paging.Pin;
import io.github.roram.paging.Replacement;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;

/** A histogram that is larger than what is held of it, and hides which of its bars grow. */
final class PagedHistogram {

  private PagedHistogram() {}

  /** Counts values of 0 to 100,000 and returns how often the last one was there. */
  static long count(int[] values) throws IOException {
    OramConfig config = OramConfig.builder(256).scheme("path").build();
    long storeBytes = Orams.storeBytes(config);
    try (MasterKey key = MasterKey.generate();
        OpenedStore opened = Stores.create("mem:", storeBytes, StoreOptions.defaults());
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key);
        PagedMemory memory = PagedMemory.over(PageStore.of(oram))) {
      MemoryView bars = memory.slice(0, 100_001 * 8L);
      for (int value : values) {
        bars.putLong(value * 8L, bars.getLong(value * 8L) + 1);
      }
      memory.flush();
      return bars.getLong(values[values.length - 1] * 8L);
    }
  }

  /** Faults of going through a table next to a page that must not go. */
  static long scan(PageStore pages) throws IOException {
    PagingOptions options =
        PagingOptions.defaults().withWorkingSetPages(32).withReplacement(Replacement.CLOCK);
    try (PagedMemory memory = PagedMemory.over(pages, options)) {
      Pin header = memory.pin(0, 4096);
      double[] row = new double[512];
      for (long at = 4096; at < memory.bytes(); at += 4096) {
        memory.getDoubles(at, row, 0, row.length);
        memory.putDouble(0, memory.getDouble(0) + row[0]);
      }
      header.close();
      PagingStats stats = memory.stats();
      return stats.faults();
    }
  }
}
