package io.github.roram.storage.ignite;

import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterState;

/** A cluster of one node in the JVM of the tests, started when it is first asked for. */
final class OneNode {

  private static final int PORTS = TestNode.freePorts();
  private static final Ignite NODE = start();

  private OneNode() {}

  private static Ignite start() {
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "ignite");
      Ignite node = TestNode.start(0, 1, PORTS, directory);
      node.cluster().state(ClusterState.ACTIVE);
      return node;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static Ignite node() {
    return NODE;
  }

  static StoreOptions options() {
    return TestNode.options(TestNode.address(0, PORTS));
  }

  static ObjectSpace objects(String location) throws IOException {
    return IgniteObjects.open(IgniteObjectsProvider.PLACES.read(location), options());
  }
}
