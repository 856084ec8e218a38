package io.github.roram.suites;

import io.github.roram.netserver.WatchedVolumes.Transport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The property suites of whole ORAMs, unchanged and all of them, on volumes of a server, over plain
 * connections and over TLS; those of what a store sees, on what the server received.
 *
 * <pre>
 * mvn verify -pl roram-bench/auditor -am -Dgroups=soak -DexcludedGroups= -Dtest='Remote*SoakTest' -Dsurefire.failIfNoSpecifiedTests=false -Droram.soak.operations=20000
 * </pre>
 *
 * {@code roram.soak.operations} counts the operations of each scheme and transport against the
 * model, by default a million.
 */
@Tag("soak")
@ResourceLock(RemoteTestStores.LOCK)
@ParameterizedClass
@EnumSource
final class RemotePropertiesSoakTest {

  RemotePropertiesSoakTest(Transport transport) {
    RemoteTestStores.use(transport);
  }

  @Nested
  final class Shapes extends ServerViewTest {}

  @Nested
  final class Labels extends LabelViewTest {}

  @Nested
  final class Threads extends SameViewTest {}

  @Nested
  final class Arrays extends OramSoakTest {}
}
