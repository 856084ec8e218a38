package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails each class of tests that loses a buffer. Found by JUnit as a service, for all classes. */
public final class LeakCheck implements AfterAllCallback {

  private static final int COLLECTIONS = 3;

  /** As JUnit calls it. */
  public LeakCheck() {}

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    assertThat(leaks(COLLECTIONS)).as("buffers that were lost").isEmpty();
  }

  /** Leaks are found by the allocation after the collection that met them. */
  static List<String> leaks(int collections) throws InterruptedException {
    for (int i = 0; i < collections && RecordedLeaks.FOUND.isEmpty(); i++) {
      System.gc();
      Thread.sleep(10);
      ByteBufAllocator.DEFAULT.directBuffer(1).release();
    }
    return RecordedLeaks.FOUND;
  }
}
