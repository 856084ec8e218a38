package io.github.roram.bench.paging;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.crypto.MasterKey;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A scheme whose pages are accessed one at a time, with parameters, under a name; or pages that are
 * sealed one by one and not hidden, which is what all others are compared with. Schemes of other
 * jars are there if their jar is.
 *
 * @param id name in files and charts
 * @param scheme its id; empty for pages that are not hidden
 * @param settings its parameters, by name
 * @param threads threads that open and seal pages
 */
record PageContender(String id, String scheme, Map<String, String> settings, int threads) {

  static final int PAGE_BYTES = 4096;

  /** Sealed pages in memory whose places show: what every slowdown is against. */
  static final PageContender NONE = new PageContender("none", "", Map.of(), 1);

  /** The same on a disk. */
  static final PageContender SEALED_DISK = new PageContender("sealed-disk", "", Map.of(), 1);

  static final PageContender PATH = new PageContender("path", "path", Map.of(), 1);

  /** The K of the paging paper: pages refreshed for each page that is written. */
  static final List<Integer> OVERHEADS = List.of(3, 7, 15);

  static final String PLAIN = "plain";
  static final String EAGER = "eager";
  static final String PARALLEL = "parallel";
  static final String EAGER_PARALLEL = "eager-parallel";
  static final List<String> FORMS = List.of(PLAIN, EAGER, PARALLEL, EAGER_PARALLEL);

  private static final String DETWO = "detwo";

  /** No treetop, no window in client memory: that memory is what paging is to save. */
  private static final Map<String, String> LITTLE_MEMORY =
      Map.of("treetopBytes", "0", "windowBlocks", "0", "chunkPaths", "16");

  PageContender {
    settings = Map.copyOf(settings);
  }

  /** Returns what hides the faults of programs, the one that does not first. */
  static List<PageContender> ofPaging() {
    List<PageContender> all = new ArrayList<>(List.of(NONE, PATH));
    all.add(new PageContender("path-batched", "path-batched", LITTLE_MEMORY, 1));
    all.add(new PageContender("roram", "roram", LITTLE_MEMORY, 1));
    for (int overhead : OVERHEADS) {
      FORMS.forEach(form -> all.add(detwo(overhead, form)));
    }
    return there(all);
  }

  /** Returns the parallel form with 1 to K threads, increasing by a factor of {@code step}. */
  static List<PageContender> ofThreads(int overhead, int step) {
    List<PageContender> all = new ArrayList<>();
    for (int threads = 1; threads < overhead; threads *= step) {
      all.add(detwo(overhead, PARALLEL, threads));
    }
    all.add(detwo(overhead, PARALLEL, overhead));
    return there(all);
  }

  /**
   * Returns what is called directly, the disk first; with the memory that the library gives by
   * default.
   */
  static List<PageContender> ofDirectCalls() {
    List<PageContender> all = new ArrayList<>(List.of(SEALED_DISK));
    for (int overhead : new int[] {1, 3}) {
      all.add(detwo(overhead, PLAIN, 1));
      all.add(detwo(overhead, EAGER_PARALLEL, 1));
    }
    for (String scheme : List.of("path", "path-batched", "roram")) {
      all.add(new PageContender(scheme, scheme, Map.of(), 1));
    }
    return there(all);
  }

  private static List<PageContender> there(List<PageContender> all) {
    return all.stream().filter(PageContender::isThere).toList();
  }

  /** Returns the name of {@code detwo} with an overhead in a form, as {@code detwo-7-eager}. */
  static String name(int overhead, String form) {
    return DETWO + "-" + overhead + (form.equals(PLAIN) ? "" : "-" + form);
  }

  /**
   * Returns a contender with as many threads as this machine has processors, if its form uses
   * several.
   */
  private static PageContender detwo(int overhead, String form) {
    int processors = Runtime.getRuntime().availableProcessors();
    boolean several = form.equals(PARALLEL) || form.equals(EAGER_PARALLEL);
    return detwo(overhead, form, several ? Math.max(2, Math.min(processors, overhead)) : 1);
  }

  private static PageContender detwo(int overhead, String form, int threads) {
    Map<String, String> settings = Map.of("overhead", Integer.toString(overhead), "form", form);
    return new PageContender(name(overhead, form), DETWO, settings, threads);
  }

  boolean isOram() {
    return !scheme.isEmpty();
  }

  /** Returns whether an access moves paths of a tree. */
  boolean isTree() {
    return isOram() && !scheme.equals(DETWO);
  }

  private boolean isThere() {
    return !isOram() || Scheme.all().stream().anyMatch(there -> there.id().equals(scheme));
  }

  /** Returns what it is chosen by: its own name, or its scheme's. */
  Set<String> names() {
    return !isOram() || scheme.equals(id) ? Set.of(id) : Set.of(id, scheme);
  }

  /** Its parameters over those that the experiment has chosen. */
  OramConfig config(OramConfig.Builder chosen) {
    OramConfig.Builder builder = chosen.scheme(scheme).blockBytes(PAGE_BYTES);
    settings.forEach(builder::set);
    return builder.build();
  }

  /**
   * Creates pages at a URI, all zeros, which are gone when closed.
   *
   * @param chosen the pages, and the other choices of the experiment
   */
  Pages create(String uri, long pages, OramConfig.Builder chosen, OpenOptions open)
      throws IOException {
    if (isOram()) {
      StoredTarget target =
          StoredTarget.create(uri, StoreOptions.defaults(), config(chosen), open, 0);
      return new Pages(PageStore.of(target.oram()), target.store(), target);
    }
    ResourceStack resources = new ResourceStack();
    return resources.closingOnFailure(
        () -> {
          long bytes = PageStore.sealedBytes(pages, PAGE_BYTES);
          OpenedStore opened = Stores.create(uri, bytes, StoreOptions.defaults());
          resources.push(() -> Stores.deleteIfThere(uri, StoreOptions.defaults()));
          resources.push(opened);
          CountingStore store = new CountingStore(opened.store());
          try (MasterKey key = MasterKey.generate()) {
            PageStore sealed =
                resources.push(PageStore.sealedWithoutOram(store, pages, PAGE_BYTES, key));
            return new Pages(sealed, store, resources);
          }
        });
  }

  /**
   * Pages in use.
   *
   * @param pages reads and writes pages
   * @param store counts requests to the store below
   * @param end closes and deletes all of it
   */
  record Pages(PageStore pages, CountingStore store, Closeable end) implements Closeable {

    @Override
    public void close() throws IOException {
      end.close();
    }
  }

  /**
   * An experiment with pages, measured on this machine whatever devices were chosen; next to other
   * experiments only where what is measured was chosen. Schemes may be named for all contenders
   * that are of one.
   */
  abstract static class PageExperiment extends NamedExperiment {

    PageExperiment(String id, String help) {
      super(id, help);
    }

    /** Returns what is compared. */
    abstract List<PageContender> contenders();

    static boolean isWanted(ExperimentOptions options) {
      return options.isMeasured() || options.experiments().size() == 1;
    }

    @Override
    public final Set<String> choices() {
      return contenders().stream()
          .flatMap(contender -> contender.names().stream())
          .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public final boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
      return selection.schemes().isEmpty()
          || contenders().stream()
              .filter(contender -> contender.id().equals(point.contender()))
              .anyMatch(
                  contender -> contender.names().stream().anyMatch(selection.schemes()::contains));
    }
  }
}
