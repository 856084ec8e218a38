package io.github.roram.rekey;

import io.github.roram.tree.RangeTree;
import java.util.List;

/** An engine whose buckets can be opened with one key and sealed with another, in place. */
public interface Rekeyable {

  /** The trees whose current buckets are all that the store holds. */
  List<RangeTree> rangeTrees();
}
