package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.pattern.OverlappedPattern;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.LinkTime.VirtualTime;
import io.github.roram.storage.link.SimulatedLinkStore;
import java.io.IOException;
import java.util.Random;

/**
 * What several eviction chunks of a tree at a time make, and could gain at most
 * (docs/results/overlap.md), in virtual time: accesses a second, how much of the time they are held
 * up since the debt is at its limit, and how full the line is. What holds nobody up, or a line that
 * is full, leaves nothing to gain.
 *
 * <pre>java … io.github.roram.bench.experiment.tao.PipelineRoom [CLIENTS]</pre>
 */
final class PipelineRoom {

  private static final long BLOCKS = 244_140;

  private PipelineRoom() {}

  /** Prints a row for each line and length. */
  @SuppressWarnings("SystemOut") // a program of its own
  public static void main(String[] arguments) throws IOException {
    int clients = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
    System.out.println("link, blocks, treetop, accesses/s, debt at its limit, down used, up used");
    for (String link : new String[] {"12ms,11MB/s", "12ms,125MB/s"}) {
      for (int blocks : new int[] {1, 64}) {
        for (long treetop : new long[] {64L << 20, 0}) {
          System.out.println(new Loop(Link.parse(link), blocks, treetop, clients).row(link));
        }
      }
    }
  }

  /** Clients in a closed loop. */
  private static final class Loop {
    private final OramConfig config;
    private final Link link;
    private final int blocks;
    private final int clients;
    private final int requests;
    private final VirtualTime time = new VirtualTime();
    private final Random random = new Random(1);
    private int asked;
    private int answered;

    Loop(Link link, int blocks, long treetop, int clients) {
      this.link = link;
      this.blocks = blocks;
      this.clients = clients;
      requests = blocks == 1 ? 12_000 : 600;
      config =
          OramConfig.builder(BLOCKS)
              .trees(blocks == 1 ? new int[] {0} : new int[] {0, 6})
              .maxRangeBlocks(64)
              .treetopBytes(treetop)
              .build();
    }

    String row(String name) throws IOException {
      CountingStore[] counted = new CountingStore[1];
      try (OverlappedPattern oram =
          OverlappedPattern.create(
              config,
              clients,
              store -> {
                counted[0] = new CountingStore(store);
                return new SimulatedLinkStore(counted[0], link, time);
              })) {
        for (int client = 0; client < clients; client++) {
          ask(oram);
        }
        runUntil(requests / 4, oram);
        counted[0].reset();
        long from = time.nanoTime();
        int before = answered;
        long held = runUntil(requests, oram);
        double seconds = (time.nanoTime() - from) / 1e9;
        IoCounts counts = counted[0].total();
        return String.format(
            "%s, %d, %d MB, %.2f, %.1f %%, %.1f %%, %.1f %%",
            name,
            blocks,
            TreeParameters.of(config).treetopBytes() >> 20,
            (answered - before) / seconds,
            held / seconds / 1e7,
            100 * counts.bytesRead() / seconds / link.downBytesPerSecond(),
            100 * counts.bytesWritten() / seconds / link.upBytesPerSecond());
      }
    }

    /** Returns the nanoseconds in which some tree may owe as much as it may. */
    private long runUntil(int most, OverlappedPattern oram) throws IOException {
      TreeParameters parameters = TreeParameters.of(config);
      long limit =
          parameters.windowBlocks() + 2L * parameters.blocksEvictedBy(parameters.chunkPaths());
      long held = 0;
      while (answered < most) {
        long now = time.nanoTime();
        boolean isFull = oram.stats().owedBlocks() >= limit;
        if (!time.step()) {
          throw new IOException("the ORAM waits for nothing");
        }
        held += isFull ? time.nanoTime() - now : 0;
      }
      return held;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
    private void ask(OverlappedPattern oram) {
      asked++;
      int block = random.nextInt((int) BLOCKS - blocks + 1);
      oram.access(block, blocks, random.nextBoolean())
          .thenRun(
              () -> {
                answered++;
                if (asked < requests) {
                  ask(oram);
                }
              });
    }
  }
}
