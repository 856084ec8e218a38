package io.github.roram.bench.paging;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import java.util.Map;
import java.util.Set;

/**
 * A scheme that hides page faults, with parameters, under a name; or none.
 *
 * @param id name in files and charts
 * @param scheme its id; empty for pages that are sealed and not hidden
 * @param settings its parameters, by name
 * @param threads threads that open and seal pages
 */
record PagingContender(String id, String scheme, Map<String, String> settings, int threads) {

  static final int PAGE_BYTES = 4096;

  PagingContender {
    settings = Map.copyOf(settings);
  }

  boolean isOram() {
    return !scheme.isEmpty();
  }

  /** Whether a jar on the class path has its scheme. */
  boolean isThere() {
    return !isOram() || Scheme.all().stream().anyMatch(there -> there.id().equals(scheme));
  }

  OramConfig config(long pages) {
    OramConfig.Builder builder =
        OramConfig.builder(pages).scheme(scheme).blockBytes(PAGE_BYTES).maxRangeBlocks(1);
    settings.forEach(builder::set);
    return builder.build();
  }

  /** What it is chosen by: its own name, or its scheme's. */
  Set<String> names() {
    return scheme.isEmpty() || scheme.equals(id) ? Set.of(id) : Set.of(id, scheme);
  }

  /** All parameters, as points are told apart by them. */
  String describe(long pages) {
    return (isOram() ? config(pages) : "sealed pages=" + pages) + " threads=" + threads;
  }
}
