package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.device.DeviceModel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What times are of: a modelled device, or this machine's disk. */
public enum Medium {
  /** The paper's hard disk, modelled. */
  HDD("hdd"),
  /** The paper's SSD, modelled. */
  SSD("ssd"),
  /** The paper's network disk, modelled. */
  NETWORK("net"),
  /** This machine's disk, past the page cache: real data, measured time. */
  MEASURED("measured");

  private final String id;

  Medium(String id) {
    this.id = id;
  }

  private @Nullable DeviceModel model() {
    return switch (this) {
      case HDD -> DeviceModel.HDD;
      case SSD -> DeviceModel.SSD;
      case NETWORK -> DeviceModel.NETWORK;
      case MEASURED -> null;
    };
  }

  /** The name on command lines and in files. */
  public String id() {
    return id;
  }

  /** Seconds that a point took, or would take. */
  public double seconds(Point point) {
    DeviceModel model = model();
    return model == null ? point.seconds() : model.seconds(point.total());
  }

  /** Whether times are computed from counts. */
  public boolean isModelled() {
    return this != MEASURED;
  }

  /** The parameters of the model. */
  public String description() {
    DeviceModel model = model();
    return model == null ? "this machine's disk, direct I/O, measured" : model.description();
  }

  /**
   * The medium of that name.
   *
   * @throws ConfigurationException if there is none
   */
  public static Medium of(String id) {
    return Arrays.stream(values())
        .filter(medium -> medium.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "device '" + id + "' is unknown; use one of hdd, ssd, net, measured"));
  }
}
