package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.OramMedium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A store of objects in memory, and its vault. */
final class ObjectMedium implements OramMedium {

  private static final int HEX = 16;

  private final ObjectSpace objects;
  private final BlockStore store;
  private final ClientVault vault = ClientVault.inMemory();

  ObjectMedium(ObjectSpace objects) {
    this.objects = objects;
    store = new ObjectStore(objects, new AtOnce());
  }

  @Override
  public BlockStore store() {
    return store;
  }

  @Override
  public ClientVault vault() {
    return vault;
  }

  @Override
  public void reopen() {}

  @Override
  public void close() throws IOException {
    store.close();
  }

  /**
   * The objects of each level are those that are current, and at most as many more as a client may
   * be ahead by: consecutive runs of evictions, each in one epoch.
   *
   * @param unit evictions in an object
   */
  void assertNoOrphans(int unit) throws IOException {
    Map<String, List<Long>> runs = new TreeMap<>();
    objects.forEach("b/", "", name -> addTo(runs, name));
    assertThat(runs).isNotEmpty();
    runs.forEach(
        (level, there) -> {
          int number = Integer.parseInt(level.substring(level.lastIndexOf('/') + 1), HEX);
          int current = Math.max(1, (1 << number) / unit);
          assertThat(there).as(level).hasSizeBetween(current, current + 2);
          for (int i = 1; i < there.size(); i++) {
            assertThat(there.get(i)).as(level).isEqualTo(there.get(i - 1) + 1);
          }
        });
  }

  private static void addTo(Map<String, List<Long>> runs, String name) {
    int slash = name.lastIndexOf('/');
    String run = name.substring(slash + 1, name.indexOf('-', slash));
    runs.computeIfAbsent(name.substring(0, slash), level -> new ArrayList<>())
        .add(Long.parseLong(run, HEX));
  }
}
