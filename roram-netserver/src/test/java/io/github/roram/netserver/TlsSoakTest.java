package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.handler.ssl.ClientAuth;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ORAM over TLS for {@code roram.soak.minutes}, whose connection is cut now and then: memory
 * stays where it is, no buffer is lost.
 *
 * <pre>
 * mvn verify -pl roram-netserver -am -Dgroups=soak -DexcludedGroups= -Dtest=TlsSoakTest -Droram.soak.minutes=30 -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Tag("soak")
final class TlsSoakTest {

  private static final Logger LOG = LoggerFactory.getLogger(TlsSoakTest.class);
  private static final double MINUTES =
      Double.parseDouble(System.getProperty("roram.soak.minutes", "30"));
  private static final int SAMPLES = 24;
  private static final long HEAP_GROWTH_BYTES = 8L << 20;
  private static final long DIRECT_GROWTH_BYTES = 16L << 20;

  @TempDir Path directory;

  /** Memory at one moment. */
  private record Sample(long heapBytes, long directBytes) {}

  @Test
  void memoryStaysWhereItIs() throws Exception {
    Path certificates = directory.resolve("certificates");
    new CertificateDirectory(certificates, InstantSource.system())
        .issue(List.of("127.0.0.1"), List.of("client"), 2);
    TlsFiles mine = TlsFiles.inDirectory(certificates, "client");
    TlsFiles servers = TlsFiles.inDirectory(certificates, CertificateDirectory.SERVER);
    FileBacking files = new FileBacking(directory.resolve("data"), FileOptions.defaults());
    ServerConfig config =
        ServerConfig.loopback(0, files).withSslContext(servers.serverContext(ClientAuth.REQUIRE));
    RemoteOptions options = RemoteOptions.defaults().withTls(mine);
    ScriptedClient.Template template = new ScriptedClient.Template();
    ScriptedClient client = template.newClient(options);
    try (BlockServer server = BlockServer.start(config);
        FaultProxy proxy = new FaultProxy(server.address())) {
      RemoteAddress place = new RemoteAddress(true, "127.0.0.1", proxy.port(), "oram");
      RemoteVolumes.create(place, ScriptedClient.STORE_BYTES, options);
      try (RemoteStore store = RemoteStore.open(place, options, LeaseKeeper.NONE)) {
        template.fill(store);
        try (Oram oram = client.open(store)) {
          List<Sample> samples = soak(client, oram, proxy);
          client.checkAll(oram);
          assertThat(store.counts().connections()).isGreaterThan(SAMPLES);
          LOG.info("{}; {}", store.counts(), samples);
          check(samples);
        }
      }
    }
    assertThat(RecordedLeaks.FOUND).isEmpty();
  }

  private static List<Sample> soak(ScriptedClient client, Oram oram, FaultProxy proxy)
      throws Exception {
    List<Sample> samples = new ArrayList<>();
    for (int sample = 0; sample < SAMPLES; sample++) {
      long end = System.nanoTime() + (long) (MINUTES * 60e9 / SAMPLES);
      while (System.nanoTime() < end) {
        client.access(oram, 100);
        proxy.reset(); // forgets the places of frames
        proxy.cutAll();
      }
      samples.add(sample());
    }
    return samples;
  }

  private static Sample sample() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(20);
    }
    ByteBufAllocatorMetricProvider allocator =
        (ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT;
    return new Sample(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        allocator.metric().usedDirectMemory());
  }

  /** Averages of the second and of the last quarter: the first one warms up. */
  private static void check(List<Sample> samples) {
    List<Sample> early = samples.subList(SAMPLES / 4, SAMPLES / 2);
    List<Sample> late = samples.subList(SAMPLES * 3 / 4, SAMPLES);
    double heap = average(late, true) - average(early, true);
    double direct = average(late, false) - average(early, false);
    LOG.info("growth: heap {} bytes, direct {} bytes", (long) heap, (long) direct);
    assertThat(heap).isLessThan(HEAP_GROWTH_BYTES);
    assertThat(direct).isLessThan(DIRECT_GROWTH_BYTES);
  }

  private static double average(List<Sample> samples, boolean heap) {
    return samples.stream()
        .mapToLong(heap ? Sample::heapBytes : Sample::directBytes)
        .average()
        .orElseThrow();
  }
}
