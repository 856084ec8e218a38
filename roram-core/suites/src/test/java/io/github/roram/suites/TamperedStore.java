package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.suites.StoreMap.Level;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An ORAM, loaded in bulk and used since, on a store that an adversary changes. */
final class TamperedStore implements Closeable {

  private static final int WARM_UP = 200;
  private static final int PATIENCE = 200;

  private final FaultyStore store;
  private final HeldVault vault = new HeldVault();
  private final ModelledOram oram;
  private final StoreMap map;
  private final Random random = new Random(11);
  private final long bytes;

  private long tamperedAt;
  private byte[] original = {};
  private byte[] tampered = {};

  TamperedStore(OramConfig config) throws IOException {
    bytes = Orams.storeBytes(config);
    store = new FaultyStore(new MemoryStore(bytes));
    oram =
        new ModelledOram(
            Medium.memory(1, memory -> store, vault), config, ModelledOram.seededLabels(5));
    oram.bulkLoad((int) config.bytes(), 1 << 24, random);
    map = new StoreMap(config, oram.oram().stats());
    use(WARM_UP);
  }

  ModelledOram oram() {
    return oram;
  }

  StoreMap map() {
    return map;
  }

  FaultyStore store() {
    return store;
  }

  HeldVault vault() {
    return vault;
  }

  Random random() {
    return random;
  }

  /** Everything that is stored. */
  byte[] snapshot() throws IOException {
    return store.snapshot(0, (int) bytes);
  }

  /** Makes random accesses, all of which succeed. */
  void use(int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      access();
    }
  }

  private void access() throws IOException {
    int count = 1 + random.nextInt(oram.config().maxRangeBlocks());
    int block = random.nextInt((int) oram.config().blocks() - count + 1);
    if (random.nextBoolean()) {
      oram.write(block, count, random);
    } else {
      oram.read(block, count);
    }
  }

  /** Changes every bucket of a level, to be undone later. */
  void tamperLevel(Level level, UnaryOperator<byte[]> change) throws IOException {
    byte[] stored = store.snapshot(level.offset(), (int) (level.places() * level.bucketBytes()));
    byte[] changed = stored.clone();
    for (int from = 0; from < stored.length; from += level.bucketBytes()) {
      byte[] bucket = change.apply(Arrays.copyOfRange(stored, from, from + level.bucketBytes()));
      System.arraycopy(bucket, 0, changed, from, bucket.length);
    }
    tamper(level.offset(), changed);
  }

  /** Changes bytes, to be undone later. */
  void tamper(long offset, byte[] changed) throws IOException {
    tamperedAt = offset;
    original = store.snapshot(offset, changed.length);
    tampered = changed.clone();
    store.restore(offset, changed);
  }

  /** Undoes the last change, but where the ORAM has written since, and goes on. */
  void undo() throws IOException {
    byte[] now = store.snapshot(tamperedAt, tampered.length);
    for (int from = 0, to; from < now.length; from = to) {
      to = (int) Math.min(now.length, map.endOfBucket(tamperedAt + from) - tamperedAt);
      if (Arrays.equals(now, from, to, tampered, from, to)) {
        store.restore(tamperedAt + from, Arrays.copyOfRange(original, from, to));
      }
    }
    oram.settle();
    use(2);
  }

  /** Makes accesses until one is refused; those before must answer right. Null if none is. */
  @Nullable IntegrityException useUntilDetected() throws IOException {
    for (int i = 0; i < PATIENCE; i++) {
      try {
        access();
      } catch (IntegrityException e) {
        return e;
      }
    }
    return null;
  }

  /** Makes accesses until the change is noticed, then undoes it and goes on. */
  void assertDetected(String... messageParts) throws IOException {
    IntegrityException detected = useUntilDetected();
    assertThat(detected).as("what was thrown for %s", Arrays.toString(messageParts)).isNotNull();
    assertThat(detected).hasMessageContainingAll(messageParts);
    undo();
  }

  @Override
  public void close() throws IOException {
    oram.checkAll();
    oram.reopen();
    oram.checkAll();
    oram.close();
  }
}
