package io.github.roram.suites;

import io.github.roram.netserver.WatchedVolumes.Transport;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The property tests against a model, as they are, over plain connections. */
@Tag("soak")
final class RemoteTcpModelSoakTest extends OramModelPropertyTest {

  @BeforeContainer
  static void connectPlainly() {
    RemoteTestStores.use(Transport.TCP);
  }
}
