package io.github.roram.storage.ignite;

import io.github.roram.storage.StoreOptions;
import io.github.roram.testkit.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** A node with the settings of docs/ignite.md, small, on ports of this machine alone. */
final class TestNode {

  private TestNode() {}

  /**
   * Starts one.
   *
   * @param ports the first of three ports for each node
   */
  static Ignite start(int number, int nodes, int ports, Path directory) throws Exception {
    return start(number, nodes, ports, directory, settings -> {});
  }

  /** As above, with other settings. */
  static Ignite start(
      int number, int nodes, int ports, Path directory, Consumer<IgniteConfiguration> others)
      throws Exception {
    System.setProperty("IGNITE_QUIET", "true");
    System.setProperty("IGNITE_NO_ASCII", "true");
    System.setProperty("IGNITE_UPDATE_NOTIFIER", "false");
    System.setProperty("IGNITE_PERFORMANCE_SUGGESTIONS_DISABLED", "true");
    System.setProperty("java.net.preferIPv4Stack", "true");
    List<String> addresses = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      addresses.add("127.0.0.1:" + (ports + 3 * node));
    }
    IgniteConfiguration settings = Beans.ofThePage();
    int first = ports + 3 * number;
    settings
        .setIgniteInstanceName("node-" + number + "-" + ports)
        .setConsistentId("node-" + number)
        .setWorkDirectory(directory.resolve("node-" + number).toAbsolutePath().toString())
        .setLocalHost("127.0.0.1")
        .setMetricsLogFrequency(0)
        .setConnectorConfiguration(null)
        .setCommunicationSpi(new TcpCommunicationSpi().setLocalPort(first + 1).setLocalPortRange(0))
        .setClientConnectorConfiguration(
            new ClientConnectorConfiguration()
                .setHost("127.0.0.1")
                .setPort(first + 2)
                .setPortRange(0));
    TcpDiscoverySpi discovery = (TcpDiscoverySpi) settings.getDiscoverySpi();
    discovery.setLocalPort(first).setLocalPortRange(0);
    ((TcpDiscoveryVmIpFinder) discovery.getIpFinder()).setAddresses(addresses);
    settings
        .getDataStorageConfiguration()
        .setWalSegmentSize(8 << 20)
        .setMaxWalArchiveSize(64 << 20)
        .getDefaultDataRegionConfiguration()
        .setInitialSize(32 << 20)
        .setMaxSize(128 << 20);
    others.accept(settings);
    return Ignition.start(settings);
  }

  /** How a client reaches nodes, patiently. */
  static StoreOptions options(String addresses) {
    return StoreOptions.defaults()
        .with(IgniteOptions.ADDRESSES, addresses)
        .with(IgniteOptions.RETRY, Duration.ofMinutes(3));
  }

  /** The first of nine ports in a row that nobody else uses. */
  static int freePorts() {
    return Ports.free(9);
  }

  /** Where a node takes clients. */
  static String address(int number, int ports) {
    return "127.0.0.1:" + (ports + 3 * number + 2);
  }

  /**
   * Arguments: number, nodes, ports, directory. Says how many nodes there are, and if all is
   * copied.
   */
  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(arguments[1]);
    Ignite ignite;
    try {
      ignite =
          start(
              Integer.parseInt(arguments[0]),
              nodes,
              Integer.parseInt(arguments[2]),
              Path.of(arguments[3]));
    } catch (Exception e) {
      e.printStackTrace();
      // Some of its threads would go on.
      Runtime.getRuntime().halt(1);
      throw e;
    }
    String said = "";
    while (true) {
      int here = ignite.cluster().forServers().nodes().size();
      if (here == nodes && ignite.cluster().state() == ClusterState.INACTIVE) {
        ignite.cluster().state(ClusterState.ACTIVE);
      }
      boolean copied =
          ignite.cluster().state().active()
              && ((IgniteEx) ignite)
                  .context().cache().cacheGroups().stream()
                      .noneMatch(group -> group.topology().hasMovingPartitions());
      String now = here + (copied ? " whole" : "");
      if (!now.equals(said)) {
        System.out.println("node sees " + now);
        said = now;
      }
      Thread.sleep(50);
    }
  }
}
