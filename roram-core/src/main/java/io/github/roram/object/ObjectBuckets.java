package io.github.roram.object;

import io.github.roram.ConfigurationException;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buckets as objects that are written once (construction, section 2.3: a level is a log, so nothing
 * is ever overwritten). An object has the buckets that the K evictions {@code [qK, (q + 1)K)} wrote
 * at one level in one key epoch, or the last 2^j of them at level j, as whole buckets or slot by
 * slot. Its name is {@code b/TREE/LEVEL/q-EPOCH}, in hexadecimal of fixed width. A repeated chunk
 * has another epoch, so it cannot be confused with objects of a failed chunk or with a put that
 * arrives late.
 *
 * <p>A read makes concurrent ranged reads of all objects that have its buckets; a chunk of
 * evictions makes one put per level. Discarded objects are deleted in the background. Existing
 * names are known from writes, and from the list that {@link #discardOrphans} requests.
 *
 * <h2>Security</h2>
 *
 * Names and lengths depend on the request alone: tree, level, time and place, which a ring shows as
 * well, and the epoch, which shows how often the store was opened and what failed.
 */
final class ObjectBuckets implements BucketStore {

  private static final Logger LOG = LoggerFactory.getLogger(ObjectBuckets.class);

  /** Prefix of all names. */
  static final String PREFIX = "b/";

  private static final Pattern NAME =
      Pattern.compile(PREFIX + "([0-9a-f]{2})/([0-9a-f]{2})/([0-9a-f]{16})-([0-9a-f]{8})");

  private static final int HEX = 16;

  /** Most listed names that are recorded for each object that a level has, or may get soon. */
  private static final int MOST_TRIES = 4;

  private final ObjectSpace objects;
  private final BucketTrees trees;
  private final ObjectRequests requests;
  private final Executor background;

  /** Objects that exist, or may exist, by tree and level. */
  private final List<List<NavigableSet<Written>>> written = new ArrayList<>();

  /** The t of each tree's last discard. */
  private final long[] discarded;

  private boolean listed;

  /** Lists what earlier openings left; null unless the last attempt failed. */
  private @Nullable Runnable failedListing;

  /** An object of a tree and level, of evictions {@code [qK, (q + 1)K)}. */
  private record Written(long q, int epoch) implements Comparable<Written> {

    private static final Comparator<Written> ORDER =
        Comparator.comparingLong(Written::q).thenComparingInt(Written::epoch);

    @Override
    public int compareTo(Written other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * The buckets of a request that are in one object.
   *
   * @param offset offset of their first byte
   * @param firstUnit number of the first of them in the request
   */
  private record Part(String name, long offset, int firstUnit, int units) {}

  /** The content of an object to be written. */
  private record Content(String name, ByteBuffer bytes) {}

  /**
   * Keeps the buckets of these trees.
   *
   * @param background executor of deletions, one after another
   * @throws ConfigurationException if buckets cannot be kept together by whole chunks
   */
  ObjectBuckets(
      ObjectSpace objects, BucketTrees trees, ObjectRequests requests, Executor background) {
    this.objects = objects;
    this.trees = trees;
    this.requests = requests;
    this.background = background;
    discarded = new long[trees.trees().size()];
    for (BucketTrees.Tree tree : trees.trees()) {
      checkUnit(tree);
      List<NavigableSet<Written>> levels = new ArrayList<>();
      for (int level = 0; level <= tree.height(); level++) {
        levels.add(new TreeSet<>());
      }
      written.add(levels);
    }
  }

  private static void checkUnit(BucketTrees.Tree tree) {
    int most = ObjectStore.mostTogether(1 << tree.height(), tree.bucketBytes());
    if (Integer.bitCount(tree.chunkPaths()) != 1 || tree.chunkPaths() > most) {
      throw new ConfigurationException(
          "chunkPaths (K) is "
              + tree.chunkPaths()
              + ", a store of objects keeps so many evictions in an object: it must be a power of"
              + " two, and at most "
              + most
              + " with these buckets and so many leaves");
    }
  }

  private static String name(int tree, int level, Written object) {
    HexFormat hex = HexFormat.of();
    return PREFIX
        + hex.toHexDigits((byte) tree)
        + '/'
        + hex.toHexDigits((byte) level)
        + '/'
        + hex.toHexDigits(object.q)
        + '-'
        + hex.toHexDigits(object.epoch);
  }

  @Override
  public int unit(int tree) {
    return trees.trees().get(tree).chunkPaths();
  }

  /** Returns how many evictions of a unit have a bucket of a level. */
  private int width(int tree, int level) {
    return (int) Math.min(unit(tree), 1L << level);
  }

  /** Returns how many units of a request a bucket has. */
  private int slots(int tree, int level) {
    return trees.trees().get(tree).slots().applyAsInt(level);
  }

  private List<Part> parts(BucketRuns runs) {
    int tree = runs.tree();
    List<Part> parts = new ArrayList<>();
    for (int run = 0; run < runs.runs(); run++) {
      int unit = runs.firstUnit(run);
      int end = unit + runs.units(run);
      while (unit < end) {
        int level = runs.level(unit);
        long q = runs.eviction(unit) / unit(tree);
        int width = width(tree, level);
        int slots = slots(tree, level);
        int bucket = (int) (runs.eviction(unit) - (q + 1) * unit(tree)) + width;
        int place = bucket * slots + runs.slot(unit);
        if (bucket < 0) {
          throw new IllegalArgumentException(
              "eviction " + runs.eviction(unit) + " has no bucket of level " + level + " to keep");
        }
        int count = Math.min(end - unit, width * slots - place);
        String name = name(tree, level, new Written(q, runs.epoch(unit)));
        parts.add(new Part(name, (long) place * runs.bucketBytes(), unit, count));
        unit += count;
      }
    }
    return parts;
  }

  private static long longest(List<Part> parts, int bucketBytes) {
    return (long) bucketBytes * parts.stream().mapToInt(Part::units).max().orElse(1);
  }

  @Override
  public void read(BucketRuns runs, UnitSink sink) throws IOException {
    List<Part> parts = parts(runs);
    requests.inOrder(
        parts,
        longest(parts, runs.bucketBytes()),
        part -> part,
        part -> read(part, runs.bucketBytes()),
        (part, bytes) -> sink.accept(part.firstUnit, bytes));
  }

  private ByteBuffer read(Part part, int bucketBytes) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(part.units * bucketBytes);
    try {
      objects.read(part.name, part.offset, bytes);
    } catch (NoSuchObjectException e) {
      throw new StoreDamagedException(
          objects
              + " has no object "
              + part.name
              + " any more: if another client took the store over, open it anew; else restore it"
              + " from a copy",
          e);
    }
    if (bytes.hasRemaining()) {
      throw new StoreDamagedException(
          "object " + part.name + " of " + objects + " is cut short; restore it from a copy");
    }
    return bytes.flip();
  }

  @Override
  public void write(BucketRuns runs, UnitSource source) throws IOException {
    List<Part> parts = parts(runs);
    parts.forEach(part -> checkWhole(runs, part));
    requests.inOrder(
        parts,
        longest(parts, runs.bucketBytes()),
        part -> {
          ByteBuffer bytes = ByteBuffer.allocate(part.units * runs.bucketBytes());
          source.fill(part.firstUnit, bytes);
          note(runs, part);
          return new Content(part.name, bytes.rewind());
        },
        content -> {
          objects.put(content.name, content.bytes);
          return content;
        },
        (part, content) -> {});
  }

  private void checkWhole(BucketRuns runs, Part part) {
    int level = runs.level(part.firstUnit);
    if (part.units != width(runs.tree(), level) * slots(runs.tree(), level)) {
      throw new IllegalArgumentException(
          part.units + " buckets are written of object " + part.name + ", which has more");
    }
  }

  /** Records an object before it exists, so that the remains of a failed write are deleted, too. */
  private synchronized void note(BucketRuns runs, Part part) {
    int unit = part.firstUnit;
    long q = runs.eviction(unit) / unit(runs.tree());
    written(runs.tree(), runs.level(unit)).add(new Written(q, runs.epoch(unit)));
  }

  private NavigableSet<Written> written(int tree, int level) {
    return written.get(tree).get(level);
  }

  @Override
  public void discardOlder(int tree, long eviction) {
    List<String> names;
    Runnable listing;
    synchronized (this) {
      discarded[tree] = Math.max(discarded[tree], eviction);
      names = takeOlder(tree);
      listing = failedListing;
      failedListing = null;
    }
    if (!names.isEmpty()) {
      background.execute(() -> delete(names));
    }
    if (listing != null) {
      background.execute(listing);
    }
  }

  /** Forgets and returns the names that the last discard of a tree allows to delete. */
  private List<String> takeOlder(int tree) {
    List<String> names = new ArrayList<>();
    for (int level = trees.trees().get(tree).topLevel();
        level < written.get(tree).size();
        level++) {
      int of = level;
      long kept = Math.max(0, Math.floorDiv(discarded[tree] - (1L << level), unit(tree)));
      NavigableSet<Written> old = written(tree, level).headSet(new Written(kept, 0), false);
      old.forEach(object -> names.add(name(tree, of, object)));
      old.clear();
    }
    return names;
  }

  private void delete(List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    try {
      objects.delete(names);
    } catch (IOException e) {
      LOG.warn(
          "{} old objects could not all be deleted; the next opening does it: {}",
          names.size(),
          e.toString());
    }
  }

  @Override
  public void discardOrphans(int epoch, Current current) {
    synchronized (this) {
      if (listed) {
        return;
      }
      listed = true;
    }
    background.execute(() -> listAndDelete(epoch, current));
  }

  private void listAndDelete(int epoch, Current current) {
    try {
      objects.forEachAnswer(
          PREFIX,
          "",
          names -> delete(names.stream().filter(name -> isOrphan(name, epoch, current)).toList()));
      List<String> old = new ArrayList<>();
      synchronized (this) {
        for (int tree = 0; tree < discarded.length; tree++) {
          old.addAll(takeOlder(tree));
        }
      }
      delete(old);
    } catch (IOException e) {
      LOG.warn("objects could not be listed; the next discard does it: {}", e.toString());
      synchronized (this) {
        failedListing = () -> listAndDelete(epoch, current);
      }
    }
  }

  /**
   * Returns whether a name is an orphan's; records it if it is to be deleted later. Of names beyond
   * those that a level can need, which an engine may invent, none is recorded.
   */
  private boolean isOrphan(String name, int epoch, Current current) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return false;
    }
    int tree = Integer.parseInt(parts.group(1), HEX);
    int level = Integer.parseInt(parts.group(2), HEX);
    long q = Long.parseUnsignedLong(parts.group(3), HEX);
    Written object = new Written(q, Integer.parseUnsignedInt(parts.group(4), HEX));
    if (tree >= written.size() || level >= written.get(tree).size()) {
      return false;
    }
    int unit = unit(tree);
    boolean isOld = object.epoch < epoch;
    if (isOld && !current.refersTo(tree, level, q * unit, unit, object.epoch)) {
      return true;
    }
    synchronized (this) {
      NavigableSet<Written> known = written(tree, level);
      if (known.size() < MOST_TRIES * ((1L << level) / unit + mostAhead(tree))) {
        known.add(object);
      }
    }
    return false;
  }

  @Override
  public int mostAhead(int tree) {
    return 2 * unit(tree);
  }

  /** Does nothing, since each write waited for its puts. */
  @Override
  public void sync() {}

  @Override
  public String toString() {
    return "buckets in " + objects;
  }
}
