package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.protocol.CarriedWatermark;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.WelcomeDescriptor;
import io.github.roram.store.ExtentBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch in requests that a server takes. How it is cut depends on its extents and the server's
 * limits alone, so a retry asks for the same.
 */
final class BatchParts {

  /**
   * A request.
   *
   * @param batch its extents
   * @param firstUnit number of its first unit over the whole batch
   */
  record Part(ExtentBatch batch, int firstUnit) {}

  private BatchParts() {}

  /** In requests that a server takes. */
  static List<Part> of(ExtentBatch batch, WelcomeDescriptor limits) {
    int maxExtents =
        Math.min(
            limits.maxExtents(),
            (limits.maxPayloadBytes() - CarriedWatermark.BYTES - ExtentsDescriptor.HEAD_BYTES)
                / ExtentsDescriptor.EXTENT_BYTES);
    return of(batch, limits.maxRequestBytes(), maxExtents);
  }

  private static List<Part> of(ExtentBatch batch, long maxBytes, int maxExtents) {
    if (batch.bytes() <= maxBytes && batch.extents() <= maxExtents) {
      return List.of(new Part(batch, 0));
    }
    int maxUnits = (int) Math.min(Integer.MAX_VALUE, maxBytes / batch.unitBytes());
    if (maxUnits == 0) {
      throw new ConfigurationException(
          "units are of "
              + batch.unitBytes()
              + " bytes, the server takes requests of at most "
              + maxBytes
              + ": raise its limit");
    }
    List<Part> parts = new ArrayList<>();
    ExtentBatch current = emptyLike(batch);
    int firstUnit = 0;
    for (int extent = 0; extent < batch.extents(); extent++) {
      int done = 0;
      while (done < batch.units(extent)) {
        if (current.units() == maxUnits || current.extents() == maxExtents) {
          parts.add(new Part(current, firstUnit));
          firstUnit += current.units();
          current = emptyLike(batch);
        }
        int units = Math.min(batch.units(extent) - done, maxUnits - current.units());
        current.add(batch.offset(extent) + (long) done * batch.unitBytes(), units);
        done += units;
      }
    }
    parts.add(new Part(current, firstUnit));
    return parts;
  }

  private static ExtentBatch emptyLike(ExtentBatch batch) {
    return new ExtentBatch().reset(batch.phase(), batch.tree(), batch.unitBytes());
  }
}
