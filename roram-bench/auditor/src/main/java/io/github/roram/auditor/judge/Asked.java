package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.List;

/**
 * What is seen of a request of accesses that overlap, when it comes.
 *
 * @param phase what it is for. A server tells that by its places, which follow from counters; here
 *     it is taken from the client, since slices of a chunk come between reads
 * @param tree number of its tree; −1 if it is of none
 * @param extents where and how long
 * @param waiting how many requests were under way
 */
public record Asked(IoPhase phase, int tree, List<Extent> extents, int waiting) {

  /** A contiguous piece. */
  public record Extent(long offset, long bytes) {}

  /** As a request among all others, in an access. */
  Request numbered(long access, long number) {
    Action action = phase == IoPhase.EVICT_WRITE ? Action.WRITE : Action.READ;
    List<Request.Extent> all =
        extents.stream().map(e -> new Request.Extent(e.offset(), e.bytes())).toList();
    return new Request(access, number, action, false, all);
  }

  /** A request that comes now. */
  public static Asked of(ExtentBatch batch, int waiting) {
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; i < batch.extents(); i++) {
      extents.add(new Extent(batch.offset(i), batch.bytes(i)));
    }
    return new Asked(batch.phase(), batch.tree(), extents, waiting);
  }
}
