package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.VaultTakenException;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.testkit.FaultyObjects;
import io.github.roram.testkit.FaultyObjects.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * One client after another takes a store from the one before, which is writing, or stopped in the
 * middle of it and goes on later, or has puts under way that arrive late. What any of them
 * acknowledged the next one has; the old one ends. {@code -Droram.takeovers=1000} for more.
 */
final class TakeOverTest {

  private static final int TAKE_OVERS = Integer.getInteger("roram.takeovers", 10);
  private static final int BLOCKS = 120;
  private static final int BLOCK_BYTES = 512;
  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS)
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(4)
          .treetopBytes(1 << 12)
          .chunkPaths(4)
          .windowBlocks(12)
          .build();

  private static final ObjectVault.Tenancy TENANCY = new ObjectVault.Tenancy(true, 0);

  private final MemoryObjects shared = new MemoryObjects();
  private final MasterKey key = MasterKey.generate();

  /** What was acknowledged, by block; guards itself. */
  private final long[] acknowledged = new long[BLOCKS];

  /** So that no client of a failed test goes on under the tests after it. */
  private volatile boolean over;

  @AfterEach
  void endClients() {
    over = true;
  }

  @Test
  void whatWasAcknowledgedIsThereAndTheOldClientEnds() throws Exception {
    Random random = new Random(11);
    Client old = new Client(true, Durability.SYNC);
    for (int round = 0; round < TAKE_OVERS; round++) {
      old.startWriting(random.nextLong());
      old.awaitWrites(3 + random.nextInt(25));
      int mode = random.nextInt(3);
      if (mode == 1) {
        old.engine.arm(Fault.LATE, name -> true, 1 + random.nextInt(3));
      } else if (mode == 2) {
        old.gate.stop();
      }
      Client next = new Client(false, Durability.SYNC);
      next.oram.read(0, 1);
      old.gate.open();
      old.engine.deliver();
      old.awaitEnd();
      old.engine.deliver();
      next.checkAll(old);
      next.close();
      next = new Client(false, Durability.SYNC);
      next.checkAll(old);
      assertThat(next.oram.verify((done, total) -> {}).findings()).isEmpty();
      old.close();
      old = next;
    }
    old.close();
    assertThat(Arrays.stream(acknowledged)).anyMatch(stamp -> stamp != 0);
    key.close();
  }

  @Test
  void whoMissesAnObjectIsToldWhetherAnotherClientHasTheStore() throws IOException {
    Client old = new Client(true, Durability.NONE);
    for (int block = 0; block < BLOCKS; block++) {
      old.oram.write(block, ByteBuffer.allocate(BLOCK_BYTES));
    }
    shared.deleteAll("b/");
    assertThatThrownBy(old::readAll).isInstanceOf(StoreDamagedException.class);
    takeOver();
    assertThatThrownBy(old::readAll).isInstanceOf(VaultTakenException.class);
    old.letGo();
  }

  /** Whatever it is of the journal, or a checkpoint, that fails because of that. */
  @Test
  void allThatFailsOnceAnotherClientHasTheStoreSaysSo() throws IOException {
    Client old = new Client(true, Durability.SYNC);
    old.oram.write(0, ByteBuffer.allocate(BLOCK_BYTES));
    takeOver();
    for (int again = 0; again < 4; again++) {
      assertThatThrownBy(() -> old.oram.write(0, ByteBuffer.allocate(BLOCK_BYTES)))
          .isInstanceOf(VaultTakenException.class);
    }
    IOException followed = new IOException("no checkpoint could be made");
    assertThatThrownBy(() -> VaultTakenException.check(followed, old.vault))
        .isInstanceOf(VaultTakenException.class);
    old.letGo();
  }

  private void takeOver() throws IOException {
    ObjectVault.open(shared.another(), "next", TENANCY, new AtOnce()).close();
  }

  private final class Client {
    private final Gate gate = new Gate(shared.another());
    private final FaultyObjects engine = new FaultyObjects(gate);
    private final BlockStore store = new ObjectStore(engine, new AtOnce());
    private final ObjectVault vault;
    private final Oram oram;
    private Thread thread = new Thread();
    private int writes;
    private int block = -1;
    private long stamp;
    private boolean ended;
    private Exception end = new Exception();

    Client(boolean first, Durability durability) throws IOException {
      if (first) {
        ObjectVault.create(shared);
      }
      vault = ObjectVault.open(engine, "test", TENANCY, new AtOnce());
      OpenOptions options = OpenOptions.defaults().withDurability(durability);
      oram =
          first
              ? Orams.create(store, vault, CONFIG, key, options)
              : Orams.open(store, vault, key, options);
    }

    /** Writes stamps until that fails for good. */
    void startWriting(long seed) {
      thread =
          new Thread(
              () -> {
                try {
                  write(new Random(seed));
                } catch (Exception | Error e) {
                  end = new IllegalStateException("the writer failed", e);
                } finally {
                  synchronized (acknowledged) {
                    ended = true;
                    acknowledged.notifyAll();
                  }
                }
              });
      thread.start();
    }

    private void write(Random random) {
      while (!over) {
        int at = random.nextInt(BLOCKS);
        long value = random.nextLong();
        synchronized (acknowledged) {
          // One that failed may be there: it is written until it is acknowledged.
          at = block >= 0 ? block : at;
          value = block >= 0 ? stamp : value;
          block = at;
          stamp = value;
        }
        try {
          oram.write(at, ByteBuffer.allocate(BLOCK_BYTES).putLong(0, value));
        } catch (IOException | OramException e) {
          // Injected, perhaps when it asked whether somebody took over what it misses.
          if (List.of("injected", "has no object").stream()
              .anyMatch(part -> String.valueOf(e.getMessage()).contains(part))) {
            continue;
          }
          end = e;
          return;
        }
        synchronized (acknowledged) {
          acknowledged[at] = value;
          block = -1;
          writes++;
          acknowledged.notifyAll();
        }
      }
    }

    void awaitWrites(int count) throws InterruptedException {
      synchronized (acknowledged) {
        while (writes < count) {
          assertThat(ended).as("the writer ended: %s", end).isFalse();
          acknowledged.wait();
        }
      }
    }

    void awaitEnd() throws InterruptedException {
      thread.join();
      assertThat(end).hasStackTraceContaining("taken over by another client");
    }

    void readAll() throws IOException {
      for (int at = 0; at < BLOCKS; at++) {
        oram.read(at, 1);
      }
    }

    /** All is there that the one before acknowledged; what it was about to write is, or is not. */
    void checkAll(Client before) throws IOException {
      for (int at = 0; at < BLOCKS; at++) {
        ByteBuffer content = ByteBuffer.allocate(BLOCK_BYTES);
        oram.read(at, 1, content);
        long found = content.getLong(0);
        if (found != acknowledged[at]) {
          assertThat(at).as("block that was lost").isEqualTo(before.block);
          assertThat(found).as("what was about to be written").isEqualTo(before.stamp);
          acknowledged[at] = found;
        }
      }
    }

    void close() throws IOException {
      try {
        oram.close();
      } catch (IOException | OramException e) {
        assertThat(end).hasStackTraceContaining("taken over");
      }
      letGo();
    }

    void letGo() throws IOException {
      vault.close();
      store.close();
    }
  }

  /** An engine of a client that can be stopped, as a process can. */
  private static final class Gate extends FilterObjectSpace {
    private CountDownLatch open = new CountDownLatch(0);

    Gate(ObjectSpace delegate) {
      super(delegate);
    }

    synchronized void stop() {
      open = new CountDownLatch(1);
    }

    synchronized void open() {
      open.countDown();
    }

    private void pass() throws IOException {
      CountDownLatch now;
      synchronized (this) {
        now = open;
      }
      try {
        now.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void put(String name, ByteBuffer bytes) throws IOException {
      pass();
      delegate.put(name, bytes);
    }

    @Override
    public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
      pass();
      return delegate.createOnce(name, bytes);
    }

    @Override
    public int read(String name, long offset, ByteBuffer to) throws IOException {
      pass();
      return delegate.read(name, offset, to);
    }

    @Override
    public List<String> list(String prefix, String after) throws IOException {
      pass();
      return delegate.list(prefix, after);
    }

    @Override
    public void delete(Collection<String> names) throws IOException {
      pass();
      delegate.delete(names);
    }

    /** The client's own handle, of which it has two users. */
    @Override
    public void close() {}
  }
}
