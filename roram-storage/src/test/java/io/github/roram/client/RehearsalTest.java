package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.store.RollbackGuard;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

final class RehearsalTest {

  private static final OramConfig LARGE =
      OramConfig.builder(1 << 20).blockBytes(512).maxRangeBlocks(8).build();

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"SYNC", "FLUSH"},
      mode = Mode.INCLUDE)
  void isMadeWithASmallStoreOfTheKind(Durability durability) {
    for (int inFlight : new int[] {1, 16}) {
      OpenOptions options =
          OpenOptions.defaults().withDurability(durability).withInFlight(inFlight);
      assertThat(Rehearsal.of(LARGE, options)).isTrue();
    }
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
    assertThat(Rehearsal.of(LARGE, OpenOptions.defaults().withRollbackGuard(guard))).isTrue();
    assertThat(asked).hasValue(0);
  }

  /** Which cannot be on objects. */
  @Test
  void isLeftOutWhereItCannotBeMade() {
    OramConfig inPlace = OramConfig.builder(1 << 20).scheme("detwo").blockBytes(512).build();
    assertThat(Rehearsal.of(inPlace, OpenOptions.defaults())).isFalse();
  }
}
