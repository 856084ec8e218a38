package io.github.roram.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that keeps objects, which all clients of a simulation ask; it tells when its vault is
 * taken by another client.
 *
 * @param <C> clients
 */
public final class SimulatedEngine<C> {

  private static final int HEX = 16;

  private final MemoryObjects objects = new MemoryObjects();
  private final Consumer<C> onTake;
  private long newest = -1;
  private @Nullable C holder;

  /** An empty one. */
  public SimulatedEngine(Consumer<C> onTake) {
    this.onTake = onTake;
  }

  /** A handle on it. */
  public MemoryObjects objects() {
    return objects.another();
  }

  /** Who wrote the newest slot; null if nobody has taken the vault. */
  public @Nullable C holder() {
    return holder;
  }

  /** Another client has, or may have, created an object of this name. */
  public void created(String name, C by) throws IOException {
    if (!name.startsWith(ObjectVault.SLOTS) || ObjectVault.SLOT_NAMES.number(name) <= newest) {
      return;
    }
    newest = ObjectVault.SLOT_NAMES.number(name);
    if (VaultSlot.read(objects, name, newest).has(VaultSlot.Kind.TAKE)) {
      holder = by;
      onTake.accept(by);
    }
  }

  /** Changes some bits of an object that has buckets. */
  public void flip(Random random) {
    List<String> names = new ArrayList<>();
    try {
      objects.forEach(ObjectBuckets.PREFIX, "", names::add);
      if (!names.isEmpty()) {
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = objects.readWhole(name, ObjectSpace.OBJECT_BYTES);
        for (int i = random.nextInt(40); i >= 0; i--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        objects.put(name, ByteBuffer.wrap(bytes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is left although nobody needs it; empty if that is nothing. Nobody has the store open. */
  public List<String> orphans() throws IOException {
    List<String> orphans = new ArrayList<>();
    Map<String, List<Long>> levels = new TreeMap<>();
    objects.forEach(ObjectBuckets.PREFIX, "", name -> addTo(levels, name));
    levels.forEach(
        (level, runs) -> {
          int height = Integer.parseInt(level.substring(level.lastIndexOf('/') + 1), HEX);
          long span = runs.get(runs.size() - 1) - runs.get(0) + 1;
          if (span != runs.size() || span > (1L << height) + 2) {
            orphans.add(level + " has evictions " + runs);
          }
        });
    if (newest >= 0) {
      VaultSlot last = VaultSlot.read(objects, ObjectVault.slotName(newest), newest);
      for (String name : objects.list(ObjectVault.SLOTS, "")) {
        long number = ObjectVault.SLOT_NAMES.number(name);
        boolean isNeeded = number >= last.first() || number == last.tenure();
        if (!isNeeded && !VaultSlot.isKept(objects, name)) {
          orphans.add(name);
        }
      }
    }
    return orphans;
  }

  private static void addTo(Map<String, List<Long>> levels, String name) {
    int slash = name.lastIndexOf('/');
    String run = name.substring(slash + 1, name.indexOf('-', slash));
    levels
        .computeIfAbsent(name.substring(0, slash), level -> new ArrayList<>())
        .add(Long.parseLong(run, HEX));
  }
}
