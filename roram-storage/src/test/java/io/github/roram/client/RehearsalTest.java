package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.store.RollbackGuard;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated("threads of others would look left over")
final class RehearsalTest {

  private static final OramConfig LARGE =
      OramConfig.builder(1 << 20).blockBytes(512).maxRangeBlocks(8).build();

  @ParameterizedTest
  @CsvSource({"SYNC, 16", "FLUSH, 1"})
  void isMadeWithASmallStoreOfTheKind(Durability durability, int inFlight) {
    OpenOptions options = OpenOptions.defaults().withDurability(durability).withInFlight(inFlight);
    assertThat(Rehearsal.make(LARGE, options)).isTrue();
  }

  /** A vault that is left open says for ever that its client is there. */
  @Test
  void leavesNothingOpen() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    assertThat(Rehearsal.make(LARGE, OpenOptions.defaults())).isTrue();
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    assertThat(left).extracting(Thread::getName).noneMatch(name -> name.startsWith("roram-"));
  }

  /** It would stand at what a store has that nobody ever sees again. */
  @Test
  void leavesTheRollbackGuardAlone() {
    AtomicInteger asked = new AtomicInteger();
    RollbackGuard guard =
        new RollbackGuard() {
          @Override
          public long read() {
            return asked.incrementAndGet();
          }

          @Override
          public void advanceTo(long value) {
            asked.incrementAndGet();
          }
        };
    assertThat(Rehearsal.make(LARGE, OpenOptions.defaults().withRollbackGuard(guard))).isTrue();
    assertThat(asked).hasValue(0);
  }

  /** Which cannot be on objects. */
  @Test
  void isLeftOutWhereItCannotBeMade() {
    OramConfig inPlace = OramConfig.builder(1 << 20).scheme("detwo").blockBytes(512).build();
    assertThat(Rehearsal.make(inPlace, OpenOptions.defaults())).isFalse();
  }
}
