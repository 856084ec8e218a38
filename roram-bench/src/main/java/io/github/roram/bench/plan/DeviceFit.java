package io.github.roram.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.ConfigurationException;
import io.github.roram.json.JsonFile;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongSupplier;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * A device model that fits measured requests: what a round trip, a seek and a byte cost, none of
 * them below nothing. Relative errors are made small, by least squares: a short request counts as
 * much as a long one.
 *
 * @param device the model
 * @param meanError mean of |modelled − measured| / measured
 * @param worstError the largest of them
 */
public record DeviceFit(DeviceModel device, double meanError, double worstError) {

  private static final double NANOS = 1e9;
  private static final int TERMS = 3;

  /** No device is faster: a byte that costs nothing would have no rate. */
  private static final double LEAST_SECONDS_A_BYTE = 1e-12;

  /**
   * One measured kind of requests.
   *
   * @param counts what was asked for
   * @param seconds how long it took
   */
  public record Sample(IoCounts counts, double seconds) {}

  /**
   * Returns the model that fits best.
   *
   * @param samples at least three, of different kinds
   */
  public static DeviceFit of(String id, List<Sample> samples) {
    if (samples.size() < TERMS) {
      throw new IllegalArgumentException(samples.size() + " samples, must be 3 at least");
    }
    double[] best = new double[TERMS];
    double least = Double.POSITIVE_INFINITY;
    // Terms that would come out negative are left out: all subsets are few.
    for (int terms = 1; terms < 1 << TERMS; terms++) {
      double[] fit = solve(samples, terms);
      double error = squares(samples, fit);
      if (fit[0] >= 0 && fit[1] >= 0 && fit[2] >= 0 && error < least) {
        least = error;
        best = fit;
      }
    }
    DeviceModel device = device(id, best);
    double sum = 0;
    double worst = 0;
    for (Sample sample : samples) {
      double error = Math.abs(device.seconds(sample.counts) / sample.seconds - 1);
      sum += error;
      worst = Math.max(worst, error);
    }
    return new DeviceFit(device, sum / samples.size(), worst);
  }

  private static double[] terms(Sample sample) {
    IoCounts counts = sample.counts;
    return new double[] {counts.roundTrips(), counts.seeks(), counts.bytes()};
  }

  private static double[] solve(List<Sample> samples, int chosen) {
    int columns = Integer.bitCount(chosen);
    RealMatrix matrix = new Array2DRowRealMatrix(samples.size(), columns);
    RealVector ones = new ArrayRealVector(samples.size(), 1);
    for (int row = 0; row < samples.size(); row++) {
      double[] terms = terms(samples.get(row));
      int column = 0;
      for (int term = 0; term < TERMS; term++) {
        if ((chosen & 1 << term) != 0) {
          matrix.setEntry(row, column++, terms[term] / samples.get(row).seconds);
        }
      }
    }
    RealVector found = new SingularValueDecomposition(matrix).getSolver().solve(ones);
    double[] fit = new double[TERMS];
    int column = 0;
    for (int term = 0; term < TERMS; term++) {
      if ((chosen & 1 << term) != 0) {
        fit[term] = found.getEntry(column++);
      }
    }
    return fit;
  }

  private static double squares(List<Sample> samples, double[] fit) {
    double sum = 0;
    for (Sample sample : samples) {
      double[] terms = terms(sample);
      double modelled = 0;
      for (int term = 0; term < TERMS; term++) {
        modelled += fit[term] * terms[term];
      }
      double error = modelled / sample.seconds - 1;
      sum += error * error;
    }
    return sum;
  }

  private static DeviceModel device(String id, double[] fit) {
    long roundTripNanos = Math.round(fit[0] * NANOS);
    long seekNanos = Math.round(fit[1] * NANOS);
    long rate = Math.round(1 / Math.max(LEAST_SECONDS_A_BYTE, fit[2]));
    String words =
        String.format(
            Locale.ROOT,
            "%s: %.4g ms a round trip, %.4g ms a seek, %.4g MB/s",
            id,
            roundTripNanos / 1e6,
            seekNanos / 1e6,
            rate / 1e6);
    return new DeviceModel(id, words, seekNanos, 0, roundTripNanos, rate);
  }

  /** A device model as a file of JSON: what a measurement leaves for later plans. */
  public static final class DeviceFile {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DeviceFile() {}

    /** Writes a fitted device, replacing the file. */
    public static void write(DeviceFit fit, Path file) throws IOException {
      DeviceModel device = fit.device();
      ObjectNode root = JsonFile.of("device", 1);
      root.put("id", device.id());
      root.put("description", device.description());
      root.put("seekNanos", device.seekNanos());
      root.put("extentNanos", device.extentNanos());
      root.put("roundTripNanos", device.roundTripNanos());
      root.put("bytesPerSecond", device.bytesPerSecond());
      root.put("meanError", fit.meanError());
      JsonFile.write(root, file);
    }

    /**
     * Reads a device.
     *
     * @throws ConfigurationException if the file is none of a device
     */
    public static DeviceModel read(Path file) throws IOException {
      JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
      try {
        return new DeviceModel(
            root.path("id").asText("file"),
            root.path("description").asText(file.toString()),
            number(root, "seekNanos"),
            number(root, "extentNanos"),
            number(root, "roundTripNanos"),
            number(root, "bytesPerSecond"));
      } catch (IllegalArgumentException e) {
        throw new ConfigurationException(
            file + " is no device: " + e.getMessage() + "; write one with plan --measure", e);
      }
    }

    private static long number(JsonNode root, String name) {
      JsonNode value = root.get(name);
      if (value == null || !value.canConvertToLong()) {
        throw new IllegalArgumentException(name + " is missing, or no whole number");
      }
      return value.asLong();
    }
  }

  /**
   * Measures a store: makes one, writes it all over, and times requests of one and of many extents,
   * short and long, read and written, at random places. A sample is the median of several requests
   * of a kind.
   */
  public static final class DeviceMeasurement {

    private static final int UNIT_BYTES = 16 << 10;
    private static final int[] EXTENTS = {1, 4, 16, 64};
    private static final int[] UNITS = {1, 8, 64};
    private static final int REPEATED = 9;
    private static final double NANOS = 1e9;

    private final CountingStore store;
    private final int units;
    private final LongSupplier nanoClock;
    private final Random random = new Random(1);

    private DeviceMeasurement(CountingStore store, long bytes, LongSupplier nanoClock) {
      this.store = store;
      units = Math.toIntExact(bytes / UNIT_BYTES);
      this.nanoClock = nanoClock;
    }

    /**
     * Measures a store that is made for it and deleted.
     *
     * @param bytes of the store: more than caches hold, or they are what is measured
     */
    public static DeviceFit measure(String uri, StoreOptions options, long bytes, String id)
        throws IOException {
      try {
        try (OpenedStore opened = Stores.create(uri, bytes, options)) {
          CountingStore store = new CountingStore(opened.store());
          return DeviceFit.of(id, new DeviceMeasurement(store, bytes, System::nanoTime).samples());
        }
      } finally {
        Stores.deleteIfThere(uri, options);
      }
    }

    private List<DeviceFit.Sample> samples() throws IOException {
      ExtentBatch all = new ExtentBatch();
      all.reset(IoPhase.META, ExtentBatch.NO_TREE, UNIT_BYTES).add(0, units);
      write(all);
      store.sync();
      List<DeviceFit.Sample> samples = new ArrayList<>();
      for (int extents : EXTENTS) {
        for (int length : UNITS) {
          if ((long) extents * length * 2 <= units) {
            samples.add(sample(extents, length, false));
            samples.add(sample(extents, length, true));
          }
        }
      }
      return samples;
    }

    private DeviceFit.Sample sample(int extents, int length, boolean writes) throws IOException {
      ExtentBatch batch = new ExtentBatch();
      double[] seconds = new double[REPEATED];
      for (int i = 0; i < REPEATED; i++) {
        // Places in order, as levels lie; each in a part of its own, so that none touch.
        batch.reset(IoPhase.META, ExtentBatch.NO_TREE, UNIT_BYTES);
        int part = units / extents;
        for (int extent = 0; extent < extents; extent++) {
          int first = extent * part + random.nextInt(part - length);
          batch.add((long) first * UNIT_BYTES, length);
        }
        store.reset();
        long start = nanoClock.getAsLong();
        if (writes) {
          write(batch);
        } else {
          store.read(batch, (unit, bytes) -> bytes.position(bytes.limit()));
        }
        seconds[i] = (nanoClock.getAsLong() - start) / NANOS;
      }
      Arrays.sort(seconds);
      return new DeviceFit.Sample(store.total(), seconds[REPEATED / 2]);
    }

    private void write(ExtentBatch batch) throws IOException {
      byte[] noise = new byte[UNIT_BYTES];
      random.nextBytes(noise);
      store.write(
          batch,
          (unit, bytes) -> {
            while (bytes.hasRemaining()) {
              bytes.put(noise);
            }
          });
    }
  }
}
