package io.github.roram.bench.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is compared. Schemes of other jars are there if their jar is. None has a treetop or a window
 * in client memory: that memory is what paging is to save.
 */
final class PagingContenders {

  /** Sealed pages whose places show: what every slowdown is against. */
  static final PagingContender NONE = new PagingContender("none", "", Map.of(), 1);

  static final PagingContender PATH = new PagingContender("path", "path", Map.of(), 1);

  /** The K of the paper: pages refreshed for each page that is written. */
  static final List<Integer> OVERHEADS = List.of(3, 7, 15);

  static final String PLAIN = "plain";
  static final String EAGER = "eager";
  static final String PARALLEL = "parallel";
  static final String EAGER_PARALLEL = "eager-parallel";
  static final List<String> FORMS = List.of(PLAIN, EAGER, PARALLEL, EAGER_PARALLEL);

  private static final String DETWO = "detwo";
  private static final Map<String, String> LITTLE_MEMORY =
      Map.of("treetopBytes", "0", "windowBlocks", "0", "chunkPaths", "16");

  private PagingContenders() {}

  /** Those whose schemes are there, the one without ORAM first. */
  static List<PagingContender> all() {
    List<PagingContender> all = new ArrayList<>(List.of(NONE, PATH));
    all.add(new PagingContender("path-batched", "path-batched", LITTLE_MEMORY, 1));
    all.add(new PagingContender("roram", "roram", LITTLE_MEMORY, 1));
    for (int overhead : OVERHEADS) {
      FORMS.forEach(form -> all.add(detwo(overhead, form)));
    }
    return all.stream().filter(PagingContender::isThere).toList();
  }

  /** Its name in files and charts, as {@code detwo-7-eager}. */
  static String name(int overhead, String form) {
    return DETWO + "-" + overhead + (form.equals(PLAIN) ? "" : "-" + form);
  }

  /** With as many threads as this machine has processors, where the form uses several. */
  static PagingContender detwo(int overhead, String form) {
    int processors = Runtime.getRuntime().availableProcessors();
    boolean several = form.equals(PARALLEL) || form.equals(EAGER_PARALLEL);
    return detwo(overhead, form, several ? Math.max(2, Math.min(processors, overhead)) : 1);
  }

  private static PagingContender detwo(int overhead, String form, int threads) {
    Map<String, String> settings = Map.of("overhead", Integer.toString(overhead), "form", form);
    return new PagingContender(name(overhead, form), DETWO, settings, threads);
  }

  /** The parallel form with 1 to K threads, each time {@code step} times more. */
  static List<PagingContender> threads(int overhead, int step) {
    List<PagingContender> all = new ArrayList<>();
    for (int threads = 1; threads < overhead; threads *= step) {
      all.add(detwo(overhead, PARALLEL, threads));
    }
    all.add(detwo(overhead, PARALLEL, overhead));
    return all.stream().filter(PagingContender::isThere).toList();
  }
}
