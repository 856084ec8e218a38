package io.github.roram.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.ConfigurationException;
import io.github.roram.bench.plan.DeviceFit.DeviceFile;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Devices that are fitted to samples. */
class DeviceFitTest {

  @TempDir Path directory;

  static List<DeviceModel> devices() {
    return List.of(DeviceModel.HDD, DeviceModel.NETWORK, DeviceModel.WIDE_AREA, seeking());
  }

  private static DeviceModel seeking() {
    DeviceModel ssd = DeviceModel.SSD;
    return new DeviceModel(
        "seeking", "seeks", 10_000, 0, ssd.roundTripNanos(), ssd.bytesPerSecond());
  }

  private static List<DeviceFit.Sample> samples(DeviceModel device, double noise) {
    List<DeviceFit.Sample> samples = new ArrayList<>();
    double sign = 1;
    for (int extents : new int[] {1, 4, 16, 64}) {
      for (long bytes : new long[] {16 << 10, 1 << 20, 16 << 20}) {
        IoCounts counts = new IoCounts(1, extents, extents, 0, bytes, 0);
        samples.add(new DeviceFit.Sample(counts, device.seconds(counts) * (1 + sign * noise)));
        sign = -sign;
      }
    }
    return samples;
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aModelIsFoundAgain(DeviceModel device) {
    DeviceFit fit = DeviceFit.of("found", samples(device, 0));
    assertThat(fit.meanError()).isLessThan(1e-3);
    assertThat(fit.device().seekNanos()).isCloseTo(device.seekNanos(), within(100L));
    assertThat(fit.device().roundTripNanos()).isCloseTo(device.roundTripNanos(), within(100L));
    assertThat(fit.device().bytesPerSecond())
        .isCloseTo(device.bytesPerSecond(), Percentage.withPercentage(0.1));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void samplesThatDisagreeAreSaidTo(DeviceModel device) {
    DeviceFit fit = DeviceFit.of("found", samples(device, 0.2));
    assertThat(fit.meanError()).isBetween(0.1, 0.3);
    assertThat(fit.worstError()).isGreaterThanOrEqualTo(fit.meanError());
    assertThat(fit.device().seekNanos()).isNotNegative();
  }

  @Test
  void aFileKeepsADevice() throws IOException {
    Path file = directory.resolve("device.json");
    DeviceFit fit = DeviceFit.of("found", samples(DeviceModel.HDD, 0.01));
    DeviceFile.write(fit, file);
    assertThat(DeviceFile.read(file)).isEqualTo(fit.device());
    Files.writeString(file, "{\"seekNanos\": 1}");
    assertThatThrownBy(() -> DeviceFile.read(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("extentNanos")
        .hasMessageContaining("--measure");
  }
}
