package io.github.roram.bench.paging.program;

import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.paging.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;

/** The six programs of the paging paper (section 5), by scale; {@code paper} has its sizes. */
public final class PagedPrograms {

  private static final int AVL_NODE_BYTES = 256;
  private static final int SHA_PAGES = 1024;
  private static final int WRITE_PAGES = 1000;

  private PagedPrograms() {}

  /** Faults until the compiler is done with what is measured. */
  public static RandomWrites warmUp() {
    return new RandomWrites(200, 3000);
  }

  /** Returns the program used when one is enough. */
  public static RandomWrites randomWrites(Scale scale) {
    return scale.pick(
        new RandomWrites(40, 30),
        new RandomWrites(WRITE_PAGES, 2500),
        new RandomWrites(WRITE_PAGES, 10_000),
        new RandomWrites(WRITE_PAGES, 10_000));
  }

  /** Returns all of them. */
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

  /**
   * A program whose data are in a memory. It behaves the same on any memory: its results and the
   * addresses that it accesses depend on its parameters alone.
   */
  public interface Program {

    /** Returns the name in files and charts. */
    String id();

    /**
     * Returns what it does, and its parameters: two programs with the same description are the
     * same.
     */
    String description();

    /** Returns the memory that it needs. */
    long bytes();

    /**
     * Puts its input into an empty memory.
     *
     * @return the program, about to begin
     */
    Run start(Memory memory);

    /** A program at work. Not thread safe. */
    interface Run {

      /** Goes on for a moment; false if it has come to its end. */
      boolean step();

      /** Returns a number derived from everything that was computed. */
      long result();
    }

    /** Runs to the end, and returns the result. */
    static long finish(Run run) {
      while (run.step()) {
        // On and on.
      }
      return run.result();
    }
  }

  /** Memory that is an array: what programs compute on it is what they must compute elsewhere. */
  public static final class PlainMemory implements Memory {

    private final ByteBuffer bytes;

    /** Zeros. */
    public PlainMemory(long bytes) {
      this.bytes = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public long bytes() {
      return bytes.capacity();
    }

    @Override
    public byte getByte(long offset) {
      return bytes.get(Math.toIntExact(offset));
    }

    @Override
    public void putByte(long offset, byte value) {
      bytes.put(Math.toIntExact(offset), value);
    }

    @Override
    public int getInt(long offset) {
      return bytes.getInt(Math.toIntExact(offset));
    }

    @Override
    public void putInt(long offset, int value) {
      bytes.putInt(Math.toIntExact(offset), value);
    }

    @Override
    public long getLong(long offset) {
      return bytes.getLong(Math.toIntExact(offset));
    }

    @Override
    public void putLong(long offset, long value) {
      bytes.putLong(Math.toIntExact(offset), value);
    }

    @Override
    public void get(long offset, byte[] target, int at, int count) {
      bytes.get(Math.toIntExact(offset), target, at, count);
    }

    @Override
    public void put(long offset, byte[] source, int at, int count) {
      bytes.put(Math.toIntExact(offset), source, at, count);
    }
  }
}
