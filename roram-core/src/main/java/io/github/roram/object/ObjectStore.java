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
 * A store in an engine that keeps objects. {@link ObjectBuckets} keeps the buckets. The address
 * space is just the superblock's {@value #BYTES} bytes; each write of them is a new object {@code
 * super/n}, and the one with the highest n is current.
 *
 * <p>It is the only store in its {@link ObjectSpace}. A write is durable when its call returns.
 */
public final class ObjectStore implements BlockStore {

  /** Bytes of the address space. */
  private static final int BYTES = SuperblockDescriptor.BYTES;

  private static final String SUPER = "super/";
  private static final NumberedNames NAMES = new NumberedNames(SUPER);

  /** Most superblocks in a list: killed clients leave some behind, an engine may invent more. */
  private static final int MOST_KNOWN = 100;

  private final ObjectSpace objects;
  private final OwnedThreads threads;
  private final ObjectRequests requests;
  private final Executor background;

  /** The superblocks that existed when they were last listed or written. */
  private @Nullable List<String> known;

  /** Opens a store in these objects, which are closed with it. */
  public ObjectStore(ObjectSpace objects) {
    this(objects, new OwnedThreads());
  }

  /**
   * Opens a store with given threads, for simulations.
   *
   * @param threads threads for concurrent requests and for deletes; they end with the store
   */
  public ObjectStore(ObjectSpace objects, OwnedThreads threads) {
    this.objects = objects;
    this.threads = threads;
    requests = ObjectRequests.to(objects, threads, "roram-objects");
    background = ObjectRequests.deletions(threads, "roram-objects-deleting");
  }

  /**
   * Creates a store in these objects, which have none; its superblock is zeros.
   *
   * @throws IOException also if another client has created one
   */
  public static ObjectStore create(ObjectSpace objects) throws IOException {
    if (!objects.createOnce(NAMES.name(0), ByteBuffer.allocate(BYTES))) {
      throw new IOException("another client has made a store in " + objects);
    }
    return new ObjectStore(objects);
  }

  /** Returns whether there is a store in these objects. */
  public static boolean isIn(ObjectSpace objects) throws IOException {
    return !objects.list(SUPER, "").isEmpty();
  }

  /** Deletes all objects of a store that is not open: the superblock last. */
  public static void delete(ObjectSpace objects) throws IOException {
    objects.deleteAll(ObjectBuckets.PREFIX);
    objects.deleteAll(SUPER);
  }

  /**
   * Returns the most evictions whose buckets of one level fit in an object: K must be a power of
   * two, and not larger.
   *
   * @param leaves number of leaves of the tree, a power of two
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
   * Replaces the superblock atomically. Its number follows the superblock that was read last, so a
   * client that has been replaced does not overwrite its successor's.
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

  /** Returns the superblock with the highest number; zeros if there is none. */
  private byte[] current(List<String> names) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    if (!names.isEmpty()) {
      objects.read(names.get(names.size() - 1), 0, bytes);
    }
    return bytes.array();
  }

  /** Does nothing, since each write waited for its objects. */
  @Override
  public void sync() {}

  /** Closes the objects once those that were discarded are deleted. */
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
