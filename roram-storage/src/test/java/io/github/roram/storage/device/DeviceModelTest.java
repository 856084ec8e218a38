package io.github.roram.storage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class DeviceModelTest {

  private static final Offset<Double> ROUNDING = Offset.offset(1e-12);

  /** 5 requests and 2 syncs, 11 extents of which 7 are seeks, 3 MB. */
  private static final IoCounts COUNTS = new IoCounts(5, 11, 7, 2, 1_000_000, 2_000_000);

  @Test
  void hddPaysForSeeksAndBytes() {
    assertThat(DeviceModel.HDD.seconds(COUNTS)).isEqualTo(7 * 0.01317 + 0.01, ROUNDING);
  }

  @Test
  void ssdPaysForRequestsExtentsAndBytes() {
    assertThat(DeviceModel.SSD.seconds(COUNTS))
        .isEqualTo(7 * 100e-6 + 11 * 10e-6 + 3.0 / 520, ROUNDING);
  }

  @Test
  void networkPaysForRoundTripsAndBytes() {
    assertThat(DeviceModel.NETWORK.seconds(COUNTS)).isEqualTo(7 * 0.001 + 0.06, ROUNDING);
  }

  @Test
  void impossibleParametersAreRefusedByName() {
    assertThatThrownBy(() -> new DeviceModel("own", "own device", 1, 2, 3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytesPerSecond is 0");
    assertThatThrownBy(() -> new DeviceModel("own", "own device", -1, 2, 3, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("seekNanos is -1");
  }
}
