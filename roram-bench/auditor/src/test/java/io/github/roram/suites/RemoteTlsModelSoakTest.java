package io.github.roram.suites;

import io.github.roram.netserver.WatchedVolumes.Transport;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The property tests against a model, as they are, over TLS. */
@Tag("soak")
final class RemoteTlsModelSoakTest extends OramModelPropertyTest {

  @BeforeContainer
  static void connectWithTls() {
    RemoteTestStores.use(Transport.TLS);
  }
}
