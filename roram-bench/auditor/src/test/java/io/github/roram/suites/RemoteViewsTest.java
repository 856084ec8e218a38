package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.netserver.WatchedVolumes.Transport;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Some of the suites of what a server sees, short, on what a server received. {@link
 * RemotePropertiesSoakTest} has all of them.
 */
@Tag("gate")
@ResourceLock(RemoteTestStores.LOCK)
final class RemoteViewsTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(100)
          .scheme("roram")
          .preset(Preset.COMPACT)
          .blockBytes(512)
          .maxRangeBlocks(16)
          .trees(0, 2)
          .treetopBytes(0)
          .build();

  @ParameterizedTest
  @EnumSource
  void equalClassesShowEqualShapes(Transport transport) throws IOException {
    RemoteTestStores.use(transport);
    ServerViewTest few =
        new ServerViewTest() {
          @Override
          int requests() {
            return 8;
          }
        };
    few.equalClassesShowEqualShapes(CONFIG);
  }

  @Test
  void threadsChangeNothing() throws IOException {
    RemoteTestStores.use(Transport.TCP);
    SameViewTest few =
        new SameViewTest() {
          @Override
          int requests() {
            return 8;
          }
        };
    few.theStoreSeesTheSameRequestsInTheSameOrder("roram");
  }

  @Test
  void labelsAreShownOnce() throws IOException {
    RemoteTestStores.use(Transport.TLS);
    LabelViewTest few =
        new LabelViewTest() {
          @Override
          int followedAccesses() {
            return 100;
          }
        };
    few.aLabelIsShownOnceByTheRangeThatItWasDrawnFor("roram");
  }
}
