package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import org.jspecify.annotations.Nullable;

/**
 * A request, understood.
 *
 * @param request it, with its time and extents
 * @param kind what it is
 * @param tree number of its tree; −1 if it is of none
 * @param eviction EVICTION_…: number of the first
 * @param paths EVICTION_…: how many
 * @param shown PATHS: what it shows; null if the tree's counter is not known
 */
record Step(Request request, Kind kind, int tree, long eviction, int paths, @Nullable Shown shown) {

  /** What a request is. */
  enum Kind {
    /** Reads random paths. */
    PATHS,
    /** Reads what the counter says. */
    EVICTION_READ,
    /** Writes what the counter says, or, in classic Path ORAM, the path that was read. */
    EVICTION_WRITE,
    /** Reads all that was written of a tree, as a scan must. */
    SCAN_READ,
    /** Writes whole trees. */
    BULK_WRITE,
    /** Asks again for what the store failed, and for nothing else. */
    REPEATED,
    /** Reads or writes beside the trees, syncs, opens, closes. */
    PLAIN,
    /** Follows from nothing that is public. */
    UNEXPLAINED,
    /** An access, a crash, a bulk load or a scan is declared. */
    DECLARED
  }

  static Step plain(Request request) {
    return new Step(request, request.declared() ? Kind.DECLARED : Kind.PLAIN, -1, 0, 0, null);
  }

  static Step of(Request request, Kind kind, int tree) {
    return new Step(request, kind, tree, 0, 0, null);
  }

  boolean isDeclared(Action action) {
    return kind == Kind.DECLARED && request.action() == action;
  }

  long access() {
    return request.access();
  }
}
