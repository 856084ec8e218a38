package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.netserver.FaultProxy.Direction;
import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection is cut once, behind a certain byte of everything that a scripted client sends or
 * gets, in a run of its own. Every run ends well: all that was acknowledged is there, the store is
 * sound, and what the server saw is what it sees without a fault, with a part of it once more.
 *
 * <p>The long run cuts behind every byte, or every {@code roram.cutStride}-th:
 *
 * <pre>mvn verify -pl roram-netserver -am -Dgroups=crash -DexcludedGroups= -Droram.cutStride=1
 * </pre>
 */
final class CutConnectionTest {

  private static final Logger LOG = LoggerFactory.getLogger(CutConnectionTest.class);

  /** The short run cuts at every so many frames, but for the first and the last ones. */
  private static final int CUT_FRAMES = 480;

  private static final int CUT_STRIDE = Integer.getInteger("roram.cutStride", 1);
  private static final int ACCESSES = 2;
  private static final int LONG_RUN_ACCESSES = 1;
  private static final int STEP_BYTES = 64;
  private static final RemoteOptions OPTIONS =
      RemoteOptions.defaults()
          .withTimeouts(
              Duration.ofSeconds(30),
              Duration.ofSeconds(30),
              Duration.ofSeconds(30),
              Duration.ofSeconds(30));

  private final Map<Direction, Long> lengthBytes = new EnumMap<>(Direction.class);
  private final AtomicReference<@Nullable RecordingStore> received = new AtomicReference<>();
  private ScriptedClient.Template template;
  private BlockServer server;
  private FaultProxy proxy;
  private int accesses = ACCESSES;
  private int volumes;

  @BeforeEach
  void start() throws IOException {
    template = new ScriptedClient.Template();
    VolumeBacking recorded =
        new DecoratedBacking(
            new MemoryBacking(),
            store -> {
              RecordingStore recording = new RecordingStore(template.fill(store));
              received.set(recording);
              return recording;
            });
    server = BlockServer.start(ServerConfig.loopback(0, recorded));
    proxy = new FaultProxy(server.address());
  }

  @AfterEach
  void stop() {
    proxy.close();
    server.close();
  }

  @Tag("gate")
  @ParameterizedTest
  @EnumSource
  void aroundTheEndsOfFramesAndWithinThem(Direction direction) throws IOException {
    List<Step> undisturbed = undisturbed();
    List<Long> ends = proxy.frameEnds(direction);
    TreeSet<Long> places = new TreeSet<>();
    long start = 0;
    for (int i = 0; i < ends.size(); i++) {
      long end = ends.get(i);
      boolean dense = i < 4 || end > length(direction) - 300;
      if (dense || i % CUT_FRAMES == 0) {
        places.addAll(List.of(end - 1, end, end + 1));
      }
      if (dense || i % CUT_FRAMES == CUT_FRAMES / 2) {
        places.add(start + FrameDescriptor.BYTES / 2);
        places.add(start + (end - start) * 2 / 3);
      }
      start = end;
    }
    long all = length(direction);
    places.removeIf(place -> place < 1 || place >= all);
    assertThat(places).hasSizeGreaterThan(30);
    assertThat(start).isGreaterThan(all);
    for (long place : places) {
      cut(direction, place, undisturbed);
    }
  }

  @Tag("crash")
  @ParameterizedTest
  @EnumSource
  void behindEveryByte(Direction direction) throws IOException {
    accesses = LONG_RUN_ACCESSES;
    List<Step> undisturbed = undisturbed();
    long all = length(direction);
    int runs = 0;
    for (long place = 1; place < all; place += CUT_STRIDE) {
      cut(direction, place, undisturbed);
      if (++runs % 2000 == 0) {
        LOG.info("{}: {} runs, {} of {} bytes", direction, runs, place, all);
      }
    }
    LOG.info("{}: {} runs, all {} bytes", direction, runs, all);
  }

  /** Bytes from creating the volume to closing it, without the check behind it. */
  private long length(Direction direction) {
    return lengthBytes.getOrDefault(direction, 0L);
  }

  private List<Step> undisturbed() throws IOException {
    List<Step> steps = run(newVolume());
    assertThat(steps).hasSizeGreaterThan(50);
    return steps;
  }

  private void cut(Direction direction, long place, List<Step> undisturbed) throws IOException {
    RemoteAddress volume = newVolume();
    proxy.cutAfter(direction, place);
    List<Step> seen;
    try {
      seen = run(volume);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("cut " + direction + " behind byte " + place, e);
    }
    assertThat(proxy.hasCut(direction)).as("cut %s behind %d", direction, place).isTrue();
    int same = 0;
    while (same < undisturbed.size() && seen.get(same).equals(undisturbed.get(same))) {
      same++;
    }
    int repeated = seen.size() - undisturbed.size();
    assertThat(repeated).as("steps repeated, cut %s at %d", direction, place).isNotNegative();
    for (int i = same; i < seen.size(); i++) {
      int expected = i - repeated;
      boolean right = expected >= 0 && seen.get(i).equals(undisturbed.get(expected));
      assertThat(right)
          .as(
              "cut %s behind %d: step %d is %s, repeating %d steps before step %d",
              direction, place, i, seen.get(i), repeated, same)
          .isTrue();
    }
  }

  private RemoteAddress newVolume() {
    proxy.reset();
    volumes++;
    return new RemoteAddress(
        false, "127.0.0.1", proxy.port(), "v" + (1_000_000 + volumes)); // of one length
  }

  private List<Step> run(RemoteAddress address) throws IOException {
    ScriptedClient client = template.newClient(OPTIONS);
    client.run(address, accesses);
    lengthBytes.put(Direction.TO_SERVER, proxy.bytes(Direction.TO_SERVER));
    lengthBytes.put(Direction.TO_CLIENT, proxy.bytes(Direction.TO_CLIENT));
    RecordingStore recording = received.get();
    if (recording == null) {
      throw new IllegalStateException("no volume");
    }
    List<Step> steps = steps(recording.requests());
    client.check(address);
    RemoteVolumes.delete(address, OPTIONS);
    return steps;
  }

  /** A piece of a request, so small that how frames cut requests makes no difference. */
  private record Step(Operation operation, long offset, long bytes) {}

  private static List<Step> steps(List<Request> requests) {
    List<Step> steps = new ArrayList<>();
    for (Request request : requests) {
      if (request.operation() == Operation.SYNC) {
        steps.add(new Step(Operation.SYNC, 0, 0));
      }
      for (Extent extent : request.extents()) {
        for (long at = extent.offset(); at < extent.end(); at += STEP_BYTES) {
          long bytes = Math.min(STEP_BYTES, extent.end() - at);
          steps.add(new Step(request.operation(), at, bytes));
        }
      }
    }
    return steps;
  }
}
