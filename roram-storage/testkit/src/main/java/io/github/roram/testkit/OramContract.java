package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme.Trait;
import io.github.roram.UncleanShutdownException;
import io.github.roram.VerifyReport;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Verifiable;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.ShownRequests.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The contract of every scheme. Extend it once for each scheme, with the scheme's jar on the class
 * path or module path:
 *
 * <pre>{@code
 * final class MySchemeTest extends OramContract {
 *   @Override
 *   protected List<OramConfig> configurations() {
 *     return List.of(OramConfig.builder(100).scheme("mine").blockBytes(512).build());
 *   }
 *
 *   @Override
 *   protected Set<Class<?>> capabilities() {
 *     return Set.of(Verifiable.class);
 *   }
 *
 *   @Override
 *   protected BlockStore newStore(long capacityBytes) throws IOException {
 *     return new MemoryStore(capacityBytes);
 *   }
 * }
 * }</pre>
 *
 * <p>Every test runs for every configuration. Choose small ones, of 40 to 1,000 blocks and ranges
 * of at least two blocks, whose client holds little: blocks with the client show nothing to the
 * store, and cannot be tampered with there. The tests cover arrays, refusals, views and failures,
 * and what {@link #capabilities} and the scheme's {@linkplain io.github.roram.Scheme#traits traits}
 * claim; a scheme must refuse what it does not claim.
 */
public abstract class OramContract {

  private static final OpenOptions NOT_DURABLE =
      OpenOptions.defaults().withDurability(Durability.NONE);

  /** Returns configurations of the scheme, at least one. */
  protected abstract List<OramConfig> configurations();

  /**
   * Returns which of {@link Verifiable}, {@link Scannable} and {@link BulkLoadable} the scheme's
   * engines implement.
   */
  protected abstract Set<Class<?>> capabilities();

  /**
   * Returns whether reads and writes draw their labels in the same order, so that with the same
   * seed they show the same paths. Override it if a write draws labels for further trees: the tests
   * then do not compare the places of path reads.
   */
  protected boolean drawsLabelsAlike() {
    return true;
  }

  /**
   * Returns whether writes are to the paths that were read, so that their places and sizes depend
   * on the random paths shown. The tests then do not compare them: the scheme's own tests must
   * check that they depend on those paths alone.
   */
  protected boolean writesWhatWasRead() {
    return false;
  }

  /**
   * Returns whether the labels shown determine when more than paths is read. The tests then do not
   * compare the reads of evictions: the scheme's own tests must check that they depend on those
   * labels alone.
   */
  protected boolean readsMoreByLabels() {
    return false;
  }

  /** Returns a new store, all zeros; it is closed after the test. */
  protected abstract BlockStore newStore(long capacityBytes) throws IOException;

  /** A test of one configuration. */
  private interface Check {
    void of(OramConfig config) throws Exception;
  }

  private Stream<DynamicTest> each(Check check) {
    return configurations().stream()
        .map(config -> DynamicTest.dynamicTest(config.toString(), () -> check.of(config)));
  }

  private Stream<DynamicTest> eachWith(Trait trait, Check check) {
    return each(check).filter(test -> configurations().get(0).has(trait));
  }

  private Stream<DynamicTest> eachWithout(Trait trait, Check check) {
    return each(check).filter(test -> !configurations().get(0).has(trait));
  }

  private ContractMedium medium(OramConfig config) throws IOException {
    return new ContractMedium(newStore(Orams.storeBytes(config)));
  }

  private static ModelledOram oram(ContractMedium medium, OramConfig config) throws IOException {
    return new ModelledOram(medium, config, ModelledOram.seededLabels(1));
  }

  @TestFactory
  final Stream<DynamicTest> isAnArrayThatIsThereWhenItIsOpenedAgain() {
    return each(
        config -> {
          try (ModelledOram oram = oram(medium(config), config)) {
            oram.checkRanges();
            new RandomWorkload(oram, new Random(2), 40).run(160);
            oram.reopen();
            oram.checkRanges();
          }
        });
  }

  @TestFactory
  final Stream<DynamicTest> badArgumentsAreRefusedAndShowNothing() {
    return each(
        config -> {
          ContractMedium medium = medium(config);
          try (ModelledOram modelled = oram(medium, config)) {
            modelled.write(0, 1, new Random(3));
            medium.recording().clear();
            refusesBadArguments(modelled.oram());
            assertThat(medium.recording().requests()).isEmpty();
            modelled.checkRanges();
          }
        });
  }

  /** Accesses that no ORAM makes: places beyond its end, sizes that it has not. */
  private static void refusesBadArguments(Oram oram) {
    OramConfig config = oram.config();
    int most = config.maxRangeBlocks();
    ByteBuffer one = ByteBuffer.allocate(config.blockBytes());
    for (long block : new long[] {-1, config.blocks(), Long.MAX_VALUE}) {
      assertThatThrownBy(() -> oram.read(block, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> oram.write(block, one))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    for (long offset : new long[] {-1, config.bytes()}) {
      assertThatThrownBy(() -> oram.update(offset, one))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    refused(() -> oram.read(0, 0));
    refused(() -> oram.read(0, most + 1));
    refused(() -> oram.read(0, 2, one));
    refused(() -> oram.read(0, 1, one.asReadOnlyBuffer()));
    refused(() -> oram.write(0, ByteBuffer.allocate(0)));
    refused(() -> oram.write(0, ByteBuffer.allocate(config.blockBytes() - 1)));
    refused(() -> oram.write(0, ByteBuffer.allocate((most + 1) * config.blockBytes())));
    refused(() -> oram.update(0, ByteBuffer.allocate(0)));
    assertThat(one.remaining()).isEqualTo(config.blockBytes());
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }

  @TestFactory
  final Stream<DynamicTest> aClosedOramRefuses() {
    return each(
        config -> {
          ContractMedium medium = medium(config);
          try (ModelledOram modelled = oram(medium, config)) {
            Oram oram = modelled.oram();
            oram.close();
            oram.close();
            medium.recording().clear();
            ByteBuffer one = ByteBuffer.allocate(config.blockBytes());
            closed(() -> oram.read(0, 1));
            closed(() -> oram.write(0, one));
            closed(() -> oram.update(0, one));
            closed(oram::flush);
            closed(() -> oram.verify((done, total) -> {}));
            assertThat(medium.recording().requests()).isEmpty();
            modelled.dropAndReopen();
          }
        });
  }

  private static void closed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ClosedChannelException.class);
  }

  @TestFactory
  final Stream<DynamicTest> readsWriteNothingAndWritesFollowFromTheirNumber() {
    return eachWith(
        Trait.HIDES_WRITES_ALONE,
        config -> {
          assertThat(ShownRequests.writesOf(seen(config, Way.READ, 5))).isEmpty();
          List<Request> writes = ShownRequests.writesOf(seen(config, Way.WRITE, 5));
          assertThat(writes).isNotEmpty();
          assertThat(ShownRequests.writesOf(seen(config, Way.WRITE, 6))).isEqualTo(writes);
          assertThat(ShownRequests.writesOf(seen(config, Way.UPDATE, 7))).isEqualTo(writes);
        });
  }

  @TestFactory
  final Stream<DynamicTest> readsWritesAndUpdatesShowTheSameRequests() {
    return eachWithout(
        Trait.HIDES_WRITES_ALONE,
        config -> {
          List<Request> reads = seen(config, Way.READ, 5);
          assertThat(reads).isNotEmpty();
          for (Way way : new Way[] {Way.WRITE, Way.UPDATE}) {
            List<Request> others = seen(config, way, 5);
            assertThat(shapes(others)).isEqualTo(shapes(reads));
            assertThat(comparable(others)).isEqualTo(comparable(reads));
          }
        });
  }

  /** Sizes of path reads may depend on which random paths meet; all others must not vary. */
  @TestFactory
  final Stream<DynamicTest> otherBlocksShowRequestsOfTheSameShape() {
    return eachWithout(
        Trait.HIDES_WRITES_ALONE,
        config -> {
          List<String> shapes = shapes(seen(config, Way.READ, 5));
          assertThat(shapes(seen(config, Way.READ, 6))).isEqualTo(shapes);
          assertThat(shapes(seen(config, Way.WRITE, 7))).isEqualTo(shapes);
        });
  }

  private List<String> shapes(List<Request> requests) {
    return ShownRequests.shapes(compared(requests), writesWhatWasRead());
  }

  /** Returns the requests whose places must agree: all, or those that depend on counters alone. */
  private List<Request> comparable(List<Request> requests) {
    if (writesWhatWasRead()) {
      return List.of();
    }
    List<Request> compared = compared(requests);
    return drawsLabelsAlike() ? compared : ShownRequests.without(IoPhase.READ, compared);
  }

  private List<Request> compared(List<Request> requests) {
    return readsMoreByLabels() ? ShownRequests.without(IoPhase.EVICT_READ, requests) : requests;
  }

  private List<Request> seen(OramConfig config, Way way, int placesSeed) throws IOException {
    ContractMedium medium = medium(config);
    try (ModelledOram oram = warm(medium, config)) {
      return ShownRequests.of(oram, medium.recording(), way, placesSeed);
    }
  }

  /** Arms the n-th call from now on. */
  private interface Fault {
    void arm(FaultyStore store, int n);
  }

  @TestFactory
  final Stream<DynamicTest> whatTheStoreFailedToDoIsDoneWhenItIsRepeated() {
    return each(
        config -> {
          sweep(config, Operation.READ, FaultyStore::failNthRead);
          sweep(config, Operation.WRITE, FaultyStore::failNthWrite);
          sweep(config, Operation.WRITE, (store, n) -> store.tearNthWrite(n, 300L * n));
          sweep(config, Operation.SYNC, FaultyStore::failNthSync);
        });
  }

  private void sweep(OramConfig config, Operation operation, Fault fault) throws IOException {
    long calls = 1;
    for (int n = 1; n <= calls; n += 1 + n / 2) {
      ContractMedium medium = medium(config);
      try (ModelledOram oram = oram(medium, config)) {
        medium.recording().clear();
        fault.arm(medium.faults(), n);
        oram.repeating(14, new Random(n));
        calls = medium.calls(operation);
        medium.faults().disarm();
        oram.settle();
        if (n % 2 == 1) {
          oram.reopen();
        }
        oram.checkRanges();
      }
    }
  }

  @TestFactory
  final Stream<DynamicTest> tamperedBucketsAreNeverRead() {
    return each(
        config -> {
          ContractMedium medium = medium(config);
          try (ModelledOram oram = warm(medium, config)) {
            medium.flipAllWrites();
            assertThatThrownBy(oram::checkRanges).isInstanceOf(IntegrityException.class);
            medium.flipAllWrites();
          }
        });
  }

  /** Returns an ORAM that was used for a while, so that buckets were written. */
  private static ModelledOram warm(ContractMedium medium, OramConfig config) throws IOException {
    ModelledOram oram = oram(medium, config);
    Random random = new Random(9);
    int step = config.maxRangeBlocks();
    for (int round = 0; round < 2; round++) {
      for (long block = 0; block < config.blocks(); block += step) {
        oram.write(block, (int) Math.min(step, config.blocks() - block), random);
      }
    }
    return oram;
  }

  @TestFactory
  final Stream<DynamicTest> verifyFindsATamperedBucket() {
    return each(
        config -> {
          ContractMedium medium = medium(config);
          try (ModelledOram oram = warm(medium, config)) {
            if (!capabilities().contains(Verifiable.class)) {
              unable(config, () -> oram.oram().verify((done, total) -> {}));
              return;
            }
            assertThat(oram.oram().verify((done, total) -> {}).clean()).isTrue();
            medium.flipLastWrite();
            VerifyReport report = oram.oram().verify((done, total) -> {});
            assertThat(report.findings())
                .extracting(VerifyReport.Finding::kind)
                .contains(VerifyReport.Kind.BUCKET);
            medium.flipLastWrite();
            assertThat(oram.oram().verify((done, total) -> {}).clean()).isTrue();
            oram.checkRanges();
          }
        });
  }

  private static void unable(OramConfig config, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(config.scheme());
  }

  @TestFactory
  final Stream<DynamicTest> aScanReadsEverything() {
    return each(
        config -> {
          try (ModelledOram oram = warm(medium(config), config)) {
            if (capabilities().contains(Scannable.class)) {
              oram.checkScan();
              oram.write(0, 1, new Random(10));
              oram.reopen();
              oram.checkScan();
            } else {
              unable(config, () -> oram.oram().scan((block, data) -> {}));
              assertThat(oram.oram().scanPays(config.bytes())).isFalse();
            }
          }
        });
  }

  @TestFactory
  final Stream<DynamicTest> aBulkLoadIsRead() {
    return each(
        config -> {
          try (ModelledOram oram = oram(medium(config), config)) {
            if (capabilities().contains(BulkLoadable.class)) {
              oram.bulkLoad((int) config.bytes() - 100, 1 << 24, new Random(11));
              oram.checkRanges();
              new RandomWorkload(oram, new Random(12), 20).run(40);
              oram.reopen();
              oram.checkRanges();
            } else {
              ArrayChannel source = new ArrayChannel(new byte[1]);
              unable(config, () -> oram.oram().bulkLoad(source, 1 << 24, bytes -> {}));
              oram.checkRanges();
            }
          }
        });
  }

  @TestFactory
  final Stream<DynamicTest> aDroppedClientLosesNothingWithAJournal() {
    return each(
        config -> {
          for (Durability durability : Durability.values()) {
            if (config.has(Trait.JOURNALLED) && durability != Durability.NONE) {
              dropAndRecover(config, OpenOptions.defaults().withDurability(durability));
            } else if (durability != Durability.NONE) {
              OpenOptions options = OpenOptions.defaults().withDurability(durability);
              unable(config, () -> modelled(config, options).close());
            }
          }
        });
  }

  private ModelledOram modelled(OramConfig config, OpenOptions options) throws IOException {
    return new ModelledOram(medium(config), config, options, ModelledOram.seededLabels(13));
  }

  private void dropAndRecover(OramConfig config, OpenOptions options) throws IOException {
    // One thread: nothing of the dropped client goes on.
    try (ModelledOram oram = modelled(config, options.withThreads(1))) {
      Random random = new Random(14);
      for (int drop = 0; drop < 3; drop++) {
        new RandomWorkload(oram, random, Integer.MAX_VALUE).run(30);
        oram.dropAndReopen();
        oram.checkRanges();
      }
    }
  }

  @TestFactory
  final Stream<DynamicTest> aDroppedClientWithoutAJournalIsNoticed() {
    return each(
        config -> {
          try (ModelledOram oram = modelled(config, NOT_DURABLE)) {
            oram.write(0, 1, new Random(15));
            assertThatThrownBy(oram::dropAndReopen).isInstanceOf(UncleanShutdownException.class);
          }
        });
  }

  @TestFactory
  final Stream<DynamicTest> aNewKeyOpensWhatTheOldOneWrote() {
    return eachWith(
        Trait.REKEYABLE,
        config -> {
          ContractMedium medium = medium(config);
          try (ModelledOram oram = warm(medium, config);
              MasterKey other = MasterKey.generate()) {
            oram.oram().close();
            Orams.rekey(medium.store(), medium.vault(), oram.key(), other, bytes -> {});
            assertThatThrownBy(oram::dropAndReopen).isInstanceOf(WrongKeyException.class);
            Orams.rekey(medium.store(), medium.vault(), other, oram.key(), bytes -> {});
            oram.dropAndReopen();
            oram.checkRanges();
          }
        });
  }
}
