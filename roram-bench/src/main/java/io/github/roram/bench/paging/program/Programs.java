package io.github.roram.bench.paging.program;

import io.github.roram.bench.experiment.Scale;
import io.github.roram.paging.Memory;
import java.util.List;
import java.util.SplittableRandom;

/** The six programs of the paging paper (section 5), by scale; {@code paper} has its sizes. */
public final class Programs {

  private static final int AVL_NODE_BYTES = 256;
  private static final int SHA_PAGES = 1024;
  private static final int WRITE_PAGES = 1000;

  private Programs() {}

  /** Faults until the compiler is done with what is measured. */
  public static RandomWrites warmUp() {
    return new RandomWrites(200, 3000);
  }

  /** The one that is used where one will do. */
  public static RandomWrites randomWrites(Scale scale) {
    return scale.pick(
        new RandomWrites(40, 30),
        new RandomWrites(WRITE_PAGES, 2500),
        new RandomWrites(WRITE_PAGES, 10_000),
        new RandomWrites(WRITE_PAGES, 10_000));
  }

  /** All of them. */
  public static List<Program> of(Scale scale) {
    return List.of(
        randomWrites(scale),
        scale.pick(
            new Sha256(10), new Sha256(SHA_PAGES), new Sha256(SHA_PAGES), new Sha256(SHA_PAGES)),
        scale.pick(
            new AvlProgram(25, 400, 2048),
            new AvlProgram(800, 2000, AVL_NODE_BYTES),
            new AvlProgram(20_000, 20_000, AVL_NODE_BYTES),
            new AvlProgram(100_000, 100_000, AVL_NODE_BYTES)),
        scale.pick(
            Satisfiability.random(60, 1, 200),
            Satisfiability.random(200, 1, 900),
            Satisfiability.random(200, 1, 2000),
            Satisfiability.pigeons(9, 3000)),
        scale.pick(
            new LatticeBoltzmann(16, 16, 1),
            new LatticeBoltzmann(64, 64, 12),
            new LatticeBoltzmann(64, 64, 50),
            new LatticeBoltzmann(128, 128, 100)),
        scale.pick(
            new Recommender(80, 80, 20, 1),
            new Recommender(2000, 1000, 600, 2),
            new Recommender(4000, 2000, 5000, 3),
            new Recommender(4000, 2000, 20_000, 5)));
  }

  /**
   * Writes at random places of an array of pages: the paper's {@code random_writes}.
   *
   * @param pages of 4 KiB
   * @param writes how many
   */
  public record RandomWrites(int pages, int writes) implements Program {

    private static final int PAGE_BYTES = 4096;

    @Override
    public String id() {
      return "random-writes";
    }

    @Override
    public String description() {
      return writes + " writes over " + pages + " pages";
    }

    @Override
    public long bytes() {
      return (long) pages * PAGE_BYTES;
    }

    @Override
    public Run start(Memory memory) {
      SplittableRandom random = new SplittableRandom(writes);
      return new Run() {
        private int done;
        private long sum;

        @Override
        public boolean step() {
          if (done == writes) {
            return false;
          }
          long place = random.nextLong(bytes() / Long.BYTES) * Long.BYTES;
          long value = random.nextLong();
          sum = Long.rotateLeft(sum, 1) ^ place ^ value;
          memory.putLong(place, value);
          done++;
          return true;
        }

        @Override
        public long result() {
          return sum;
        }
      };
    }
  }
}
