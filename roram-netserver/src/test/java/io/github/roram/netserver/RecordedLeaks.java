package io.github.roram.netserver;

import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A leak detector of Netty's that remembers what it found. Named in the build. */
public final class RecordedLeaks<T> extends ResourceLeakDetector<T> {

  static final List<String> FOUND = new CopyOnWriteArrayList<>();

  /** As Netty calls it. */
  @SuppressWarnings("deprecation")
  public RecordedLeaks(Class<?> resourceType, int samplingInterval, long unused) {
    super(resourceType, samplingInterval, unused);
  }

  /** As Netty calls it. */
  public RecordedLeaks(Class<?> resourceType, int samplingInterval) {
    super(resourceType, samplingInterval);
  }

  @Override
  protected void reportTracedLeak(String resourceType, String records) {
    FOUND.add(resourceType + records);
    super.reportTracedLeak(resourceType, records);
  }

  @Override
  protected void reportUntracedLeak(String resourceType) {
    FOUND.add(resourceType);
    super.reportUntracedLeak(resourceType);
  }
}
