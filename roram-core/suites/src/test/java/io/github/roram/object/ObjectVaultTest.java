package io.github.roram.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.VaultSlot.Entry;
import io.github.roram.object.VaultSlot.Kind;
import io.github.roram.open.Orams;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.Crc32c;
import io.github.roram.store.FilterClientVault;
import io.github.roram.store.StoreLockedException;
import io.github.roram.suites.AtOnce;
import io.github.roram.testkit.FaultyObjects;
import io.github.roram.testkit.FaultyObjects.Fault;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has a vault of slots, and what it keeps. */
final class ObjectVaultTest {

  private static final ObjectVault.Tenancy TAKING = new ObjectVault.Tenancy(true, 0);
  private static final ObjectVault.Tenancy IDLE = new ObjectVault.Tenancy(false, 0);

  private final MemoryObjects objects = new MemoryObjects();
  private final FaultyObjects faulty = new FaultyObjects(objects.another());

  @BeforeEach
  void create() throws IOException {
    ObjectVault.create(objects);
  }

  private static ObjectVault open(ObjectSpace space, ObjectVault.Tenancy tenancy)
      throws IOException {
    return ObjectVault.open(space, "someone", tenancy, new AtOnce());
  }

  private static byte[] load(ObjectVault vault, String name) throws IOException {
    try (InputStream in = vault.load(name).orElseThrow()) {
      return in.readAllBytes();
    }
  }

  private List<String> names(String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    objects.forEach(prefix, "", names::add);
    return names;
  }

  @Test
  void oneThatWasReleasedIsOpenedAndOneThatIsInUseIsNot() throws IOException {
    ObjectVault first = open(objects.another(), IDLE);
    first.save("a", out -> out.write(1));
    first.close();
    ObjectVault second = open(objects.another(), IDLE);
    // It says something while the third one looks on.
    ObjectSpace busy =
        new FaultyObjects(objects.another()) {
          @Override
          public List<String> list(String prefix, String after) throws IOException {
            if (!after.isEmpty()) {
              second.save("b", out -> out.write(2));
            }
            return super.list(prefix, after);
          }
        };
    assertThatThrownBy(() -> open(busy, IDLE))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("someone");
    assertThat(load(second, "b")).containsExactly(2);
    second.close();
  }

  /** A holder with nothing to record has a slot of every five seconds. */
  @Test
  void whoHasItIsFoundWithoutReadingAllSlots() throws IOException {
    ObjectVault holder = open(objects.another(), TAKING);
    holder.openLog("j");
    for (int i = 0; i < 200; i++) {
      holder.confirm(true);
    }
    AtomicInteger reads = new AtomicInteger();
    ObjectSpace counting =
        new FaultyObjects(objects.another()) {
          @Override
          public int read(String name, long offset, ByteBuffer to) throws IOException {
            reads.incrementAndGet();
            return super.read(name, offset, to);
          }

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            if (!after.isEmpty()) {
              holder.confirm(true);
            }
            return super.list(prefix, after);
          }
        };
    assertThatThrownBy(() -> open(counting, IDLE))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("by someone;");
    assertThat(reads).hasValueLessThan(9);
    holder.close();
  }

  @Test
  void oneThatIsStillForLongEnoughIsTaken() throws IOException {
    ObjectVault dead = open(objects.another(), IDLE);
    dead.save("a", out -> out.write(1));
    ObjectVault next = open(objects.another(), IDLE);
    assertThat(load(next, "a")).containsExactly(1);
    assertThatThrownBy(() -> dead.save("a", out -> out.write(2)))
        .isInstanceOf(VaultTakenException.class);
    assertThatThrownBy(() -> dead.load("a")).isInstanceOf(VaultTakenException.class);
    assertThatThrownBy(dead::logs).isInstanceOf(VaultTakenException.class);
    assertThat(load(next, "a")).containsExactly(1);
  }

  @Test
  void aBusyClientThatDeletesWhatIsReadIsReplaced() throws IOException {
    ObjectVault busy = open(objects.another(), IDLE);
    busy.save("a", out -> out.write(1));
    ObjectSpace taker =
        new FaultyObjects(objects.another()) {
          private int reads;

          @Override
          public int read(String name, long offset, ByteBuffer to) throws IOException {
            if (name.equals(ObjectVault.slotName(newestSlot())) && reads++ < 3) {
              for (int i = 0; i < 1000; i++) {
                busy.save("a", out -> out.write(3));
              }
              assertThat(names(name)).isEmpty();
            }
            return super.read(name, offset, to);
          }
        };
    ObjectVault next = open(taker, TAKING);
    assertThat(load(next, "a")).containsExactly(3);
    assertThatThrownBy(() -> busy.save("a", out -> out.write(4)))
        .isInstanceOf(VaultTakenException.class);
  }

  private long newestSlot() throws IOException {
    List<String> slots = names("log/");
    return Long.parseLong(slots.get(slots.size() - 1).substring("log/".length()), 16);
  }

  @Test
  void aHolderWithNothingToSaySaysThatItIsThere() throws IOException, InterruptedException {
    ObjectVault holder =
        ObjectVault.open(objects.another(), "holder", new ObjectVault.Tenancy(true, 30));
    // Older slots are deleted meanwhile, so they are not counted.
    long before = newestSlot();
    for (int waited = 0; newestSlot() < before + 3; waited++) {
      assertThat(waited).as("waits for a slot").isLessThan(20_000);
      Thread.sleep(1);
    }
    holder.close();
    open(objects.another(), IDLE).close();
  }

  /** The beats of a holder are made when the test says so, and all else at once. */
  private static final class Beats extends OwnedThreads {
    private static final ObjectVault.Tenancy OFTEN = new ObjectVault.Tenancy(true, 3);
    private BooleanSupplier beat = () -> true;

    @Override
    public Executor serial(String name) {
      return Runnable::run;
    }

    @Override
    public void repeat(String name, long millis, BooleanSupplier goesOn) {
      beat = goesOn;
    }

    void make(int beats) {
      for (int i = 0; i < beats; i++) {
        assertThat(beat.getAsBoolean()).isTrue();
      }
    }
  }

  private static void append(AppendLog log, byte[] bytes) throws IOException {
    log.append(ByteBuffer.wrap(bytes));
    log.sync();
  }

  private static byte[] read(AppendLog log) throws IOException {
    try (InputStream in = log.read()) {
      return in.readAllBytes();
    }
  }

  /** Else who opens it after an idle month would read half a million slots. */
  @Test
  void anIdleHolderNeedsFewSlots() throws IOException {
    Beats beats = new Beats();
    ObjectVault holder = ObjectVault.open(objects.another(), "holder", Beats.OFTEN, beats);
    byte[] content = new byte[(9 << 20) + 1];
    new Random(7).nextBytes(content);
    holder.save("key", out -> out.write(7));
    append(holder.openLog("j-1"), Arrays.copyOf(content, 9 << 20));
    holder.openLog("j-2");
    beats.make(5000);
    assertThat(names("log/")).hasSizeLessThan(1500);
    assertThat(names("rec/")).as("pieces of 8 MiB").hasSize(2);
    append(holder.openLog("j-1"), Arrays.copyOfRange(content, 9 << 20, content.length));
    beats.make(500);
    ObjectVault next = open(objects.another(), TAKING);
    assertThat(load(next, "key")).containsExactly(7);
    assertThat(next.logs()).containsExactly("j-1", "j-2");
    assertThat(read(next.openLog("j-1"))).isEqualTo(content);
    assertThat(read(next.openLog("j-2"))).isEmpty();
    next.openLog("j-1").truncate(1);
    assertThat(read(next.openLog("j-1"))).containsExactly(content[0]);
    next.deleteLog("j-1");
    assertThat(names("rec/")).isEmpty();
  }

  /** Else another client would take the vault from one that goes on. */
  @Test
  void aHolderThatHadNoMemoryForOnceStillSaysThatItIsThere() throws IOException {
    AtomicInteger left = new AtomicInteger();
    ObjectSpace forgetful =
        new FaultyObjects(objects.another()) {
          @Override
          public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
            if (left.getAndDecrement() == 1) {
              throw new OutOfMemoryError("injected");
            }
            return super.createOnce(name, bytes);
          }
        };
    Beats beats = new Beats();
    ObjectVault holder = ObjectVault.open(forgetful, "holder", Beats.OFTEN, beats);
    holder.save("a", out -> out.write(1));
    beats.make(2);
    long before = newestSlot();
    left.set(1);
    beats.make(3);
    assertThat(newestSlot()).isGreaterThan(before);
  }

  @Test
  void aLogThatIsReadWhileItIsRenewedIsReadToItsEnd() throws IOException {
    Beats beats = new Beats();
    ObjectVault holder = ObjectVault.open(objects.another(), "holder", Beats.OFTEN, beats);
    AppendLog log = holder.openLog("j");
    append(log, new byte[] {1, 2});
    try (InputStream slots = log.read()) {
      beats.make(1100);
      try (InputStream pieces = log.read()) {
        append(log, new byte[] {3});
        beats.make(1100);
        assertThat(pieces.readAllBytes()).containsExactly(1, 2);
      }
      assertThat(slots.readAllBytes()).containsExactly(1, 2);
    }
    beats.make(1);
    assertThat(names("log/")).hasSizeLessThan(1200);
    assertThat(names("rec/")).hasSize(1);
    assertThat(read(log)).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogThatChangesWhileItIsRenewedLosesNothing(boolean isPut) throws IOException {
    List<AppendLog> logs = new ArrayList<>();
    ObjectSpace changing =
        new FaultyObjects(objects.another()) {
          @Override
          public void put(String name, ByteBuffer bytes) throws IOException {
            AppendLog log = logs.get(0);
            append(log, new byte[] {3});
            log.truncate(isPut ? 1 : 2);
            if (isPut) {
              super.put(name, bytes);
            } else {
              throw new IOException("injected");
            }
          }
        };
    Beats beats = new Beats();
    ObjectVault holder = ObjectVault.open(changing, "holder", Beats.OFTEN, beats);
    AppendLog log = holder.openLog("j");
    logs.add(log);
    append(log, new byte[] {1, 2});
    beats.make(1100);
    assertThat(names("rec/")).isEmpty();
    assertThat(read(log)).startsWith(1).hasSize(isPut ? 1 : 2);
    ObjectVault next = open(objects.another(), TAKING);
    assertThat(read(next.openLog("j"))).startsWith(1).hasSize(isPut ? 1 : 2);
  }

  /** It goes on, and the engine goes away, for longer than the vault has to be still. */
  @Test
  void whoStandsByTakesTheVaultWhenItsHolderIsGone() throws IOException {
    ObjectVault holder = open(objects.another(), TAKING);
    int busy = 15;
    int away = 30;
    FaultyObjects standing =
        new FaultyObjects(objects.another()) {
          private boolean standing;
          private int lists;

          @Override
          public int read(String name, long offset, ByteBuffer to) throws IOException {
            standing = true;
            return super.read(name, offset, to);
          }

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            if (!standing) {
              return super.list(prefix, after);
            }
            lists++;
            if (lists > busy && lists <= away) {
              throw new IOException("away");
            }
            if (lists <= busy) {
              int now = lists;
              holder.save("a", out -> out.write(now));
            }
            return super.list(prefix, after);
          }
        };
    ObjectVault next = ObjectVault.open(standing, "next", new ObjectVault.Tenancy(false, true, 40));
    assertThat(load(next, "a")).containsExactly(busy);
    assertThatThrownBy(() -> holder.save("a", out -> out.write(0)))
        .isInstanceOf(VaultTakenException.class);
    next.close();
    long tooLong = Long.MAX_VALUE;
    ObjectVault.open(objects.another(), "third", new ObjectVault.Tenancy(false, true, tooLong))
        .close();
  }

  /** Its holder is silent for a while, and the engine for longer than the vault has to be still. */
  @Test
  void whoStandsByLeavesTheVaultToAHolderThatGoesOn() throws IOException {
    ObjectVault holder = open(objects.another(), TAKING);
    int awayFrom = 3;
    int back = 16;
    FaultyObjects standing =
        new FaultyObjects(objects.another()) {
          private boolean standing;
          private int lists;

          @Override
          public int read(String name, long offset, ByteBuffer to) throws IOException {
            standing = true;
            return super.read(name, offset, to);
          }

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            lists += standing ? 1 : 0;
            if (lists >= awayFrom && lists < back) {
              throw new IOException("away");
            }
            if (lists == 1 || lists == back + 1) {
              int now = lists;
              holder.save("a", out -> out.write(now));
            } else if (lists == back + 2) {
              holder.close();
            }
            return super.list(prefix, after);
          }
        };
    ObjectVault next =
        ObjectVault.open(
            standing, "next", new ObjectVault.Tenancy(false, true, 500), new SleepingClock());
    assertThat(load(next, "a")).containsExactly(back + 1);
    next.close();
  }

  /** A time that passes while somebody sleeps, and at no other time. */
  private static final class SleepingClock extends OwnedThreads {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void sleep(long millis) {
      nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  /** As one that takes over it goes on until it is in time. */
  @Test
  void whoStandsByTakesNoSlotThatWasDeleted() throws IOException {
    ObjectVault holder = open(objects.another(), TAKING);
    ObjectVault next =
        ObjectVault.open(lateCreates(holder, 1), "next", new ObjectVault.Tenancy(false, true, 1));
    assertThat(load(next, "a")).containsExactly(1);
    assertThatThrownBy(() -> holder.save("a", out -> out.write(2)))
        .isInstanceOf(VaultTakenException.class);
    next.close();
  }

  /**
   * The engine is away right after the vault was taken, for a read, or for as long as that takes.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, Integer.MAX_VALUE})
  void whoCannotReadWhatItTookGivesItBack(int failing) throws IOException {
    ObjectVault before = open(objects.another(), TAKING);
    before.save("a", out -> out.write(1));
    before.save("b", out -> out.write(2));
    before.close();
    ObjectSpace away =
        new FaultyObjects(objects.another()) {
          private int left;

          @Override
          public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
            left = failing;
            return super.createOnce(name, bytes);
          }

          @Override
          public int read(String name, long offset, ByteBuffer to) throws IOException {
            if (left > 0 && left-- > 0) {
              throw new IOException("away");
            }
            return super.read(name, offset, to);
          }
        };
    assertThatThrownBy(() -> open(away, IDLE)).hasMessage("away");
    ObjectVault next = openWithoutWaiting();
    assertThat(load(next, "a")).containsExactly(1);
    next.save("a", out -> out.write(3));
    next.close();
    assertThat(load(openWithoutWaiting(), "a")).containsExactly(3);
  }

  private ObjectVault openWithoutWaiting() throws IOException {
    OwnedThreads threads =
        new OwnedThreads() {
          @Override
          public void sleep(long millis) throws IOException {
            throw new IOException("it is not released");
          }
        };
    return ObjectVault.open(objects.another(), "next", IDLE, threads);
  }

  /** It stops before it takes the vault, and goes on when the slot that it tries is deleted. */
  @Test
  void whoComesTooLateDoesNotTakeWhatWasDeleted() throws IOException {
    ObjectVault holder = open(objects.another(), TAKING);
    ObjectSpace late = lateCreates(holder, 1);
    assertThatThrownBy(() -> open(late, IDLE)).isInstanceOf(StoreLockedException.class);
    holder.save("a", out -> out.write(2));
    holder.close();
    assertThat(load(open(objects.another(), IDLE), "a")).containsExactly(2);
  }

  /** It has taken the vault, and before it knows another client takes it over. */
  @Test
  void whoIsReplacedBeforeItKnowsThatItIsTheHolderLeavesItsSlot() throws IOException {
    open(objects.another(), TAKING).save("a", out -> out.write(1));
    List<ObjectVault> next = new ArrayList<>();
    ObjectSpace slow =
        new FaultyObjects(objects.another()) {
          @Override
          public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
            boolean created = super.createOnce(name, bytes);
            next.add(open(objects.another(), TAKING));
            return created;
          }
        };
    assertThatThrownBy(() -> open(slow, IDLE)).isInstanceOf(StoreLockedException.class);
    assertThat(load(next.get(0), "a")).containsExactly(1);
    assertThat(load(open(objects.another(), TAKING), "a")).containsExactly(1);
  }

  /** One that takes over goes on until it is in time. */
  @Test
  void whoTakesOverLateTakesALaterSlot() throws IOException {
    ObjectVault holder = open(objects.another(), TAKING);
    ObjectVault next = open(lateCreates(holder, 2), TAKING);
    assertThat(load(next, "a")).containsExactly(1);
    assertThatThrownBy(() -> holder.save("a", out -> out.write(2)))
        .isInstanceOf(VaultTakenException.class);
  }

  /** Creates slots so late that the holder has deleted slots of their numbers already. */
  private ObjectSpace lateCreates(ObjectVault holder, int times) {
    return new FaultyObjects(objects.another()) {
      private int left = times;

      @Override
      public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
        if (left-- > 0) {
          for (int i = 0; i < 1000; i++) {
            holder.save("a", out -> out.write(1));
          }
          assertThat(names(name)).isEmpty();
        }
        return super.createOnce(name, bytes);
      }
    };
  }

  /** What it wrote is there; only what that replaced stays until the next opening. */
  @Test
  void whoHasNoThreadToDeleteFailsNoCall() throws IOException {
    OwnedThreads scarce =
        new OwnedThreads() {
          @Override
          public Executor serial(String name) {
            return task -> {
              throw new OutOfMemoryError("injected: no thread");
            };
          }
        };
    ObjectVault vault = ObjectVault.open(objects.another(), "someone", TAKING, scarce);
    for (int i = 0; i < 9; i++) {
      int value = i;
      vault.save("a", out -> out.write(value));
    }
    assertThat(load(vault, "a")).containsExactly(8);
    vault.close();
    assertThat(names("log/")).hasSizeGreaterThan(9);
    open(objects.another(), IDLE).close();
    assertThat(names("log/")).hasSizeLessThan(9);
  }

  /** The client that was replaced finds the slot taken, however long ago that was. */
  @Test
  void whoWasReplacedLongAgoIsTold() throws IOException {
    ObjectVault old = open(objects.another(), TAKING);
    old.save("a", out -> out.write(1));
    ObjectVault next = open(objects.another(), TAKING);
    for (int i = 0; i < 1000; i++) {
      next.save("a", out -> out.write(2));
    }
    assertThat(names("log/")).hasSizeLessThan(600);
    assertThatThrownBy(() -> old.save("a", out -> out.write(3)))
        .isInstanceOf(VaultTakenException.class);
    assertThat(load(next, "a")).containsExactly(2);
  }

  /** The client that replaced it has gone, too, and others after it. */
  @Test
  void whoWasReplacedByOneThatHasGoneIsTold() throws IOException {
    ObjectVault old = open(objects.another(), TAKING);
    old.save("a", out -> out.write(1));
    for (int client = 0; client < 3; client++) {
      ObjectVault next = open(objects.another(), TAKING);
      for (int i = 0; i < 300; i++) {
        next.save("a", out -> out.write(2));
      }
      next.close();
    }
    assertThatThrownBy(() -> old.save("a", out -> out.write(3)))
        .isInstanceOf(VaultTakenException.class);
  }

  /** Lost answers, refusals and creates that arrive late: resolved before anything else. */
  @Test
  void slotsWhoseOutcomeIsUnknownAreOfferedAgain() throws IOException {
    ObjectVault vault = open(faulty, TAKING);
    AppendLog log = vault.openLog("j");
    List<Byte> all = new ArrayList<>();
    for (Fault fault : List.of(Fault.LOST_ANSWER, Fault.LATE, Fault.REFUSED, Fault.LATE)) {
      faulty.arm(fault, name -> name.startsWith("log/"), 1);
      byte value = (byte) all.size();
      all.add(value);
      log.append(ByteBuffer.wrap(new byte[] {value}));
      assertThatThrownBy(log::sync).hasMessageContaining("injected");
      if (all.size() % 2 == 0) {
        faulty.deliver();
      }
      log.sync();
    }
    faulty.deliver();
    ObjectVault next = open(objects.another(), TAKING);
    try (AppendLog again = next.openLog("j");
        InputStream in = again.read()) {
      assertThat(in.readAllBytes()).containsExactly(0, 1, 2, 3);
    }
  }

  @Test
  void whatIsAppendedButNotSyncedIsLostAndTheModeThatNeedsItRefused() throws IOException {
    ObjectVault vault = open(objects.another(), TAKING);
    vault.openLog("j").append(ByteBuffer.wrap(new byte[9]));
    ObjectVault next = open(objects.another(), TAKING);
    assertThat(next.openLog("j").bytes()).isZero();
    OpenOptions os = OpenOptions.defaults().withDurability(Durability.OS);
    OramConfig config = OramConfig.builder(100).blockBytes(512).chunkPaths(8).build();
    try (MasterKey key = MasterKey.generate();
        ObjectStore store = ObjectStore.create(objects.another())) {
      assertThatThrownBy(() -> Orams.create(store, next, config, key, os))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("durability is OS");
    }
  }

  /** Slots that nothing needs are deleted, and records that nothing refers to. */
  @Test
  void itStaysShort() throws IOException {
    ObjectVault vault = open(objects.another(), TAKING);
    vault.save("key", out -> out.write(7));
    for (int generation = 0; generation < 12; generation++) {
      AppendLog log = vault.openLog("j-" + generation);
      for (int i = 0; i < 100; i++) {
        log.append(ByteBuffer.wrap(new byte[100]));
        log.sync();
      }
      vault.save("state", out -> out.write(new byte[100_000]));
      if (generation > 0) {
        vault.deleteLog("j-" + (generation - 1));
      }
    }
    assertThat(names("log/")).hasSizeLessThan(500);
    assertThat(names("rec/")).hasSize(1);
    objects.put("rec/0000000000000000/state-left/10000000", ByteBuffer.allocate(1));
    objects.put("rec/x", ByteBuffer.allocate(1)); // another's
    ObjectVault next = open(objects.another(), TAKING);
    assertThat(load(next, "key")).containsExactly(7);
    assertThat(load(next, "state")).hasSize(100_000);
    assertThat(next.logs()).containsExactly("j-11");
    assertThat(next.openLog("j-11").bytes()).isEqualTo(10_000);
    assertThat(names("rec/")).hasSize(2).contains("rec/x");
  }

  /** Nobody knows them, and this client would delete none of its own before the next opening. */
  @Test
  void piecesOfARecordThatCouldNotBeSavedAreDeleted() throws IOException {
    ObjectVault vault = open(faulty, TAKING);
    vault.save("state", out -> out.write(new byte[100_000]));
    for (Fault fault : List.of(Fault.REFUSED, Fault.LOST_ANSWER)) {
      faulty.arm(fault, name -> name.endsWith("/10000001"), 1);
      assertThatThrownBy(() -> vault.save("state", out -> out.write(new byte[20 << 20])))
          .hasMessageContaining("injected");
    }
    assertThatThrownBy(
            () ->
                vault.save(
                    "state",
                    out -> {
                      out.write(new byte[9 << 20]);
                      throw new IOException("no more");
                    }))
        .hasMessage("no more");
    assertThat(names("rec/")).hasSize(1);
    assertThat(load(vault, "state")).hasSize(100_000);
  }

  /** Which slots are needed is not yet said by the one that took it. */
  @Test
  void whatABusyClientLeftIsLookedAtAsSoonAsItIsReplaced() throws IOException {
    ObjectVault busy = open(objects.another(), TAKING);
    ObjectSpace slow =
        new FaultyObjects(objects.another()) {
          private int left = 1000;

          @Override
          public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
            if (left-- > 0) {
              busy.save("a", out -> out.write(1));
            }
            return super.createOnce(name, bytes);
          }
        };
    ObjectVault next = open(slow, TAKING);
    assertThat(names(ObjectVault.slotName(2))).isEmpty();
    try (ObjectVault looked = ObjectVault.look(objects.another())) {
      assertThat(load(looked, "a")).containsExactly(1);
    }
    next.close();
  }

  /** Else each opening would look at one more, however many there were. */
  @Test
  void openingsThatAreClosedLeaveNoSlots() throws IOException {
    ObjectVault first = open(objects.another(), IDLE);
    first.save("key", out -> out.write(7));
    first.close();
    for (int opening = 0; opening < 400; opening++) {
      ObjectVault vault = openWithoutWaiting();
      vault.save("a", out -> out.write(1));
      vault.close();
    }
    assertThat(names("log/")).hasSizeLessThan(300);
    assertThat(load(openWithoutWaiting(), "key")).containsExactly(7);
  }

  /** The slot by which the next client takes the vault is not kept, so this one creates none. */
  @Test
  void whoHasReleasedItCreatesNoSlot() throws IOException {
    List<AppendLog> logs = new ArrayList<>();
    List<Throwable> refused = new ArrayList<>();
    ObjectSpace space =
        new FaultyObjects(objects.another()) {
          @Override
          public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
            boolean created = super.createOnce(name, bytes);
            for (AppendLog log : logs) {
              refused.add(catchThrowable(() -> log.append(ByteBuffer.allocate(1))));
            }
            return created;
          }
        };
    ObjectVault vault = open(space, TAKING);
    logs.add(vault.openLog("j"));
    vault.close();
    assertThat(refused).hasSize(1).first().isInstanceOf(ClosedChannelException.class);
  }

  /** All die before they have a checkpoint; the last one recovers from the journals of all. */
  @Test
  void whoRecoversAnswersBeforeItHasACheckpoint() throws IOException {
    OramConfig config =
        OramConfig.builder(60)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .treetopBytes(0)
            .chunkPaths(4)
            .windowBlocks(12)
            .build();
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.SYNC);
    MasterKey key = MasterKey.copyOf(new byte[MasterKey.BYTES]);
    Oram oram =
        Orams.create(
            new ObjectStore(objects.another(), new AtOnce()),
            open(objects.another(), TAKING),
            config,
            key,
            options);
    for (int client = 0; client < 4; client++) {
      for (int block = 0; block < 60; block += 5) {
        oram.write(block, ByteBuffer.allocate(512).putInt(0, client * 100 + block));
      }
      oram =
          Orams.open(
              new ObjectStore(objects.another(), new AtOnce()),
              new NoCheckpoints(open(objects.another(), TAKING)),
              key,
              options);
      for (int block = 0; block < 60; block += 5) {
        assertThat(oram.read(block, 1).getInt(0)).isEqualTo(client * 100 + block);
      }
    }
    key.close();
  }

  private static final class NoCheckpoints extends FilterClientVault {
    NoCheckpoints(ClientVault delegate) {
      super(delegate);
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      if (name.equals("state")) {
        throw new IOException("injected");
      }
      super.save(name, writer);
    }
  }

  @Test
  void aSlotThatIsMissingOrChangedIsNamed() throws IOException {
    ObjectVault vault = open(objects.another(), TAKING);
    vault.save("a", out -> out.write(1));
    vault.save("b", out -> out.write(1));
    vault.close();
    String second = names("log/").get(2);
    byte[] bytes = objects.readWhole(second, ObjectSpace.CREATE_BYTES);
    bytes[70] ^= 1;
    objects.put(second, ByteBuffer.wrap(bytes));
    assertThatThrownBy(() -> open(objects.another(), TAKING)).hasMessageContaining(second);
    objects.delete(List.of(second));
    assertThatThrownBy(() -> open(objects.another(), TAKING)).hasMessageContaining(second);
  }

  /** What no client writes: an engine need not know a key to forge a slot. */
  static List<Entry> forged() {
    String large = "rec/0000000000000001/a-6f1c1a2e-0d1b-4a57-9d57-3f0f7f0d0c11";
    return List.of(
        VaultView.large(Kind.SAVE_LARGE, "a", large, 1L << 62),
        VaultView.large(Kind.SAVE_LARGE, "a", large, -1),
        VaultView.large(Kind.SAVE_LARGE, "a", "b", 1),
        VaultView.large(Kind.SAVE_LARGE, "a", "../..", 1),
        VaultView.large(Kind.SAVE_LARGE, "b", large, 1),
        new Entry(Kind.SAVE_LARGE, "a", new byte[7]),
        new Entry(Kind.SAVE, "../a"),
        new Entry(Kind.LOG, "j/1"),
        new Entry(Kind.LOG_LARGE, "j", new byte[7]),
        new Entry(Kind.CUT, "j", new byte[7]),
        new Entry(Kind.CUT, "j", new byte[] {-1, 0, 0, 0, 0, 0, 0, 1}));
  }

  @ParameterizedTest
  @MethodSource("forged")
  void aSlotThatNoClientWritesIsDamaged(Entry forged) throws IOException {
    plant(1, 0, new Entry(Kind.LOG, "j"), forged, new Entry(Kind.RELEASE, ""));
    assertThatThrownBy(() -> open(objects.another(), IDLE))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(ObjectVault.slotName(1));
    assertThat(names("")).hasSize(2);
  }

  /** Of any length, with a checksum that is right. */
  @Test
  void aSlotThatIsCutShortIsDamaged() throws IOException {
    VaultSlot whole = new VaultSlot(new UUID(0, 0), 1, 0, 0, List.of());
    byte[] bytes = whole.encode(ObjectVault.random());
    for (int length = 0; length < bytes.length; length++) {
      ByteBuffer cut = ByteBuffer.allocate(length).put(bytes, 0, length);
      if (length >= Integer.BYTES) {
        cut.putInt(length - Integer.BYTES, Crc32c.of(cut.array(), 0, length - Integer.BYTES));
      }
      assertThatThrownBy(() -> VaultSlot.decode("log/1", 1, cut.array()))
          .as("%d bytes", length)
          .isInstanceOf(IntegrityException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "0x7fffffffffffffff, 0", "1, -1", "1, 2"})
  void aSlotWhoseNumbersCannotBeIsDamaged(String number, long first) throws IOException {
    plant(Long.decode(number), first, new Entry(Kind.RELEASE, ""));
    assertThatThrownBy(() -> open(objects.another(), IDLE)).isInstanceOf(IntegrityException.class);
    assertThat(names("")).hasSize(2);
  }

  /** Their numbers would take more memory than there is. */
  @Test
  void slotsThatAreMissingBelowAHighNumberAreNotListed() throws IOException {
    plant(1L << 40, 0, new Entry(Kind.RELEASE, ""));
    assertThatThrownBy(() -> open(objects.another(), IDLE))
        .hasMessageContaining(ObjectVault.slotName(1));
  }

  private void plant(long number, long first, Entry... entries) throws IOException {
    VaultSlot slot = new VaultSlot(new UUID(0, 0), number, first, 0, List.of(entries));
    objects.put(ObjectVault.slotName(number), ByteBuffer.wrap(slot.encode(ObjectVault.random())));
  }

  /** The name of who has it comes from the engine. */
  @Test
  void whoHasItIsNamedWithoutControlCharacters() throws IOException {
    String said = "\u001b[2Jevil\u202e\n\u2028".repeat(100);
    ObjectVault first = open(objects.another(), IDLE);
    first.save("a", out -> out.write(1));
    first.close();
    ObjectVault holder = ObjectVault.open(objects.another(), said, IDLE, new AtOnce());
    ObjectSpace followed =
        new FaultyObjects(objects.another()) {
          @Override
          public List<String> list(String prefix, String after) throws IOException {
            holder.save("b", out -> out.write(1));
            return super.list(prefix, after);
          }
        };
    assertThatThrownBy(() -> open(followed, IDLE))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("[2Jevil")
        .message()
        .matches("[^\\p{C}\u2028]{1,300}");
  }

  /** Whoever asked it again would do so without end. */
  @Test
  void anEngineThatAlwaysGivesTheSameNamesIsRefused() throws IOException {
    ObjectSpace stuck =
        new FaultyObjects(objects.another()) {
          private int lists;

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            assertThat(lists++).isLessThan(9);
            return super.list(prefix, "");
          }

          @Override
          public void delete(Collection<String> names) {}
        };
    assertThatThrownBy(() -> stuck.forEach("", "", name -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ObjectVault.slotName(0));
    assertThatThrownBy(() -> open(stuck, IDLE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ObjectVault.slotName(0));
    assertThatThrownBy(() -> stuck.deleteAll(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ObjectVault.slotName(0));
  }

  /** By its last name it would go on, and by its last slot it would not. */
  @Test
  void anAnswerInNoOrderIsRefused() throws IOException {
    ObjectSpace unordered =
        new FaultyObjects(objects.another()) {
          private int lists;

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            assertThat(lists++).isLessThan(9);
            return List.of(ObjectVault.slotName(0), after + "-");
          }
        };
    assertThatThrownBy(() -> open(unordered, IDLE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in no order");
  }

  /** However many there are, or an engine says that there are. */
  @Test
  void noMoreNamesAreHeldThanAnAnswerHas() throws IOException {
    for (int slot = 1; slot < 50; slot++) {
      plant(slot, Math.min(slot, 40), new Entry(Kind.RELEASE, ""));
      objects.put("rec/0000000000000000/state-left/" + slot, ByteBuffer.allocate(1));
    }
    ObjectSpace short3 =
        new FaultyObjects(objects.another()) {
          @Override
          public List<String> list(String prefix, String after) throws IOException {
            List<String> names = super.list(prefix, after);
            return names.subList(0, Math.min(3, names.size()));
          }

          @Override
          public void delete(Collection<String> names) throws IOException {
            assertThat(names).hasSizeLessThanOrEqualTo(3);
            super.delete(names);
          }
        };
    VaultTaking taking =
        new VaultTaking(
            short3, ObjectRequests.to(short3, new AtOnce(), ""), "someone", new AtOnce());
    assertThat(taking.newestSlots()).hasSizeLessThanOrEqualTo(3).contains(ObjectVault.slotName(49));
    assertThat(open(short3, IDLE).names()).isEmpty();
    assertThat(names("log/").get(0)).isEqualTo(ObjectVault.slotName(40));
    assertThat(names("rec/")).isEmpty();
  }

  @Test
  void whatAnEngineLeftOfASlotIsNone() throws IOException {
    ObjectVault vault = open(objects.another(), TAKING);
    vault.save("a", out -> out.write(7));
    List<String> slots = names("log/");
    // As S3Proxy leaves them when it is killed.
    for (String slot : slots) {
      objects.put(slot + "-6f1c1a2e-0d1b-4a57-9d57-3f0f7f0d0c11", ByteBuffer.allocate(9));
    }
    vault.save("b", out -> out.write(8));
    ObjectVault next = open(objects.another(), TAKING);
    assertThat(next.load("a")).isPresent();
    assertThat(next.load("b")).isPresent();
    next.close();
    assertThatThrownBy(() -> vault.save("c", out -> out.write(9)))
        .isInstanceOf(VaultTakenException.class);
  }
}
