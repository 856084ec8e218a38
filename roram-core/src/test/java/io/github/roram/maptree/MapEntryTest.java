package io.github.roram.maptree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeGeometry.AddedLevels;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What map blocks have for labels, through several growths of the tree whose labels they are. */
class MapEntryTest {

  private static final int TREE = 2;
  private static final int RANGES = 300;

  /** Of a tree that has grown by so many levels since it had a height. */
  private static TreeGeometry grown(int firstHeight, int by) {
    long[] since = new long[by];
    for (int i = 0; i < by; i++) {
      since[i] = (1L << firstHeight) + 5L * i;
    }
    AddedLevels added = new AddedLevels(since);
    return new TreeGeometry(TREE, 0, RANGES, firstHeight + by, 0, 0, 4, 0, added);
  }

  /** Whenever a label was given, its entry says what a map says that grew with the tree. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 20})
  void entriesSayWhatAMapWithTheClientSays(int firstHeight) {
    LabelPrf prf = new LabelPrf();
    Random random = new Random(firstHeight);
    int[] entries = new int[RANGES];
    LocalPositionMap map = new LocalPositionMap(prf, TREE, RANGES, 1 << firstHeight);
    for (int by = 0; by < 5; by++) {
      TreeGeometry geometry = grown(firstHeight, by);
      LocalPositionMap larger = new LocalPositionMap(prf, TREE, RANGES, geometry.leaves());
      larger.growFrom(map);
      map = larger;
      for (int i = 0; i < RANGES / 6; i++) {
        int range = random.nextInt(RANGES);
        int label = random.nextInt(geometry.leaves());
        map.set(range, label);
        entries[range] = MappedLabels.entry(geometry, label);
      }
      for (int range = 0; range < RANGES; range++) {
        assertThat(MappedLabels.label(geometry, entries[range], prf, range))
            .isEqualTo(map.label(range));
      }
    }
  }

  /** As they were before stores could grow. */
  @Test
  void aTreeThatNeverGrewHasLabelsPlusOne() {
    TreeGeometry geometry = grown(6, 0);
    for (int label = 0; label < geometry.leaves(); label++) {
      assertThat(MappedLabels.entry(geometry, label)).isEqualTo(label + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 31, 129, 1 << 20, -1, Integer.MIN_VALUE})
  void whatNoEntryCanBeIsNoLabel(int entry) {
    assertThat(MappedLabels.label(grown(4, 2), entry, new LabelPrf(), 0)).isEqualTo(-1);
  }

  @Test
  void theLargestTreeHasEntries() {
    TreeGeometry geometry = grown(28, 2);
    int last = geometry.leaves() - 1;
    int entry = MappedLabels.entry(geometry, last);
    assertThat(MappedLabels.label(geometry, entry, new LabelPrf(), 0)).isEqualTo(last);
  }
}
