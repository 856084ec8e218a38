package io.github.roram.object;

import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A store in an engine that keeps objects. The buckets are {@link ObjectBuckets}. The address space
 * is just the superblock's {@value #BYTES} bytes, which are an object each time they are written:
 * {@code super/n}, of which the highest n counts.
 *
 * <p>It is the only store in its {@link ObjectSpace}. What it wrote is durable when the call
 * returns.
 */
public final class ObjectStore implements BlockStore {

  /** Bytes of the address space. */
  private static final int BYTES = SuperblockDescriptor.BYTES;

  private static final String SUPER = "super/";
  private static final NumberedNames NAMES = new NumberedNames(SUPER);

  /**
   * Superblocks that are held: a client leaves one behind if it is killed, an engine any number.
   */
  private static final int MOST_KNOWN = 100;

  private final ObjectSpace objects;
  private final OwnedThreads threads;
  private final ObjectRequests requests;
  private final Executor background;

  /** The superblocks that were there when they were looked for last, or written. */
  private @Nullable List<String> known;

  /** A store in these objects, which are closed with it. */
  public ObjectStore(ObjectSpace objects) {
    this(objects, new OwnedThreads());
  }

  /**
   * As above, for simulations.
   *
   * @param threads make requests that are under way at the same time, and delete; ended with this
   */
  public ObjectStore(ObjectSpace objects, OwnedThreads threads) {
    this.objects = objects;
    this.threads = threads;
    requests = ObjectRequests.to(objects, threads, "roram-objects");
    background = threads.serial("roram-objects-deleting");
  }

  /**
   * Makes a store in these objects, in which there is none: its superblock is zeros.
   *
   * @throws IOException also if another client has made one
   */
  public static ObjectStore create(ObjectSpace objects) throws IOException {
    if (!objects.createOnce(NAMES.name(0), ByteBuffer.allocate(BYTES))) {
      throw new IOException("another client has made a store in " + objects);
    }
    return new ObjectStore(objects);
  }

  /** Whether there is a store in these objects. */
  public static boolean isIn(ObjectSpace objects) throws IOException {
    return !objects.list(SUPER, "").isEmpty();
  }

  /** Deletes all objects of a store that nobody has open: the superblock last. */
  public static void delete(ObjectSpace objects) throws IOException {
    objects.deleteAll(ObjectBuckets.PREFIX);
    objects.deleteAll(SUPER);
  }

  /**
   * The most evictions of a tree that an object can have the buckets of, at one level: K must not
   * be more, and be a power of two.
   *
   * @param leaves of the tree, a power of two
   */
  public static int mostTogether(int leaves, int bucketBytes) {
    int fitting = Math.max(1, ObjectSpace.OBJECT_BYTES / bucketBytes);
    return Integer.highestOneBit(Math.min(leaves, fitting));
  }

  @Override
  public long capacityBytes() {
    return BYTES;
  }

  @Override
  public boolean keepsObjects() {
    return true;
  }

  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    return Optional.of(new ObjectBuckets(objects, trees, requests, background));
  }

  @Override
  public boolean isBeside(Path place) {
    return objects.isBeside(place);
  }

  @Override
  public synchronized void read(ExtentBatch batch, UnitSink sink) throws IOException {
    batch.checkWithin(BYTES);
    byte[] bytes = current(seen());
    int unit = 0;
    for (int i = 0; i < batch.extents(); i++) {
      sink.accept(unit, ByteBuffer.wrap(bytes, (int) batch.offset(i), (int) batch.bytes(i)));
      unit += (int) (batch.bytes(i) / batch.unitBytes());
    }
  }

  /**
   * All at once: the superblock is as it was, or as it is to be. It follows the one that was read
   * last, so that a client that was replaced since does not write over that of its successor.
   */
  @Override
  public synchronized void write(ExtentBatch batch, UnitSource source) throws IOException {
    batch.checkWithin(BYTES);
    List<String> names = known == null ? seen() : known;
    byte[] bytes = current(names);
    int unit = 0;
    for (int i = 0; i < batch.extents(); i++) {
      source.fill(unit, ByteBuffer.wrap(bytes, (int) batch.offset(i), (int) batch.bytes(i)));
      unit += (int) (batch.bytes(i) / batch.unitBytes());
    }
    String next =
        names.isEmpty() ? NAMES.name(0) : NAMES.name(NAMES.number(names.get(names.size() - 1)) + 1);
    if (!objects.createOnce(next, ByteBuffer.wrap(bytes))) {
      throw new IOException(
          "another client has changed " + objects + " at the same time; close it there first");
    }
    known = List.of(next);
    objects.delete(names);
  }

  private List<String> seen() throws IOException {
    List<String> names = new ArrayList<>();
    objects.forEach(
        SUPER,
        "",
        name -> {
          if (NAMES.has(name)) {
            names.add(name);
            names.subList(0, Math.max(0, names.size() - MOST_KNOWN)).clear();
          }
        });
    known = names;
    return names;
  }

  /** The bytes of the highest number; zeros if there is none. */
  private byte[] current(List<String> names) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    if (!names.isEmpty()) {
      objects.read(names.get(names.size() - 1), 0, bytes);
    }
    return bytes.array();
  }

  /** Each write waited for its objects. */
  @Override
  public void sync() {}

  /** Once what was discarded is deleted. */
  @Override
  public void close() throws IOException {
    try (objects) {
      threads.end();
    }
  }

  @Override
  public String toString() {
    return objects.toString();
  }
}
