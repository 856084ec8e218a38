package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.paging.Memory;

/**
 * A flow in two dimensions by the lattice-Boltzmann method: D2Q9, one relaxation time (BGK),
 * periodic, from a shear wave on. In the place of the paper's {@code lbm} of SPEC, whose licence
 * allows no copy.
 *
 * @param width cells in a row
 * @param height rows
 * @param times how often the whole field is moved on
 */
public record LatticeBoltzmann(int width, int height, int times) implements Program {

  private static final int SPEEDS = 9;
  private static final int CELL_BYTES = SPEEDS * Double.BYTES;
  private static final int[] X = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  private static final int[] Y = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  private static final double[] WEIGHT = {
    4 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 36.0, 1 / 36.0, 1 / 36.0, 1 / 36.0
  };
  private static final double RELAXATION = 1 / 0.8;
  private static final double WAVE = 0.05;

  @Override
  public String id() {
    return "lattice-boltzmann";
  }

  @Override
  public String description() {
    return "D2Q9 on " + width + " x " + height + " cells, " + times + " times";
  }

  @Override
  public long bytes() {
    return 2L * width * height * CELL_BYTES;
  }

  @Override
  public Run start(Memory memory) {
    Field field = new Field(memory);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        field.speedX = WAVE * Math.sin(2 * Math.PI * y / height);
        field.speedY = WAVE * Math.cos(2 * Math.PI * x / width);
        field.density = 1;
        for (int i = 0; i < SPEEDS; i++) {
          field.cell[i] = field.equilibrium(i);
        }
        memory.putDoubles(field.place(0, x, y), field.cell, 0, SPEEDS);
      }
    }
    return field;
  }

  /** Two fields in turn: what streams in from the one collides and is written to the other. */
  private final class Field implements Run {
    private final Memory memory;
    private final double[] cell = new double[SPEEDS];
    private double density;
    private double speedX;
    private double speedY;
    private int row;
    private double mass;

    Field(Memory memory) {
      this.memory = memory;
    }

    private long place(int field, int x, int y) {
      return (((long) field * height + y) * width + x) * CELL_BYTES;
    }

    @Override
    public boolean step() {
      if (row == times * height) {
        return false;
      }
      int from = row / height % 2;
      int y = row % height;
      mass = y == 0 ? 0 : mass;
      for (int x = 0; x < width; x++) {
        stream(from, x, y);
        collide();
        memory.putDoubles(place(1 - from, x, y), cell, 0, SPEEDS);
      }
      row++;
      return true;
    }

    private void stream(int from, int x, int y) {
      for (int i = 0; i < SPEEDS; i++) {
        int left = Math.floorMod(x - X[i], width);
        int above = Math.floorMod(y - Y[i], height);
        cell[i] = memory.getDouble(place(from, left, above) + (long) i * Double.BYTES);
      }
    }

    private void collide() {
      density = 0;
      speedX = 0;
      speedY = 0;
      for (int i = 0; i < SPEEDS; i++) {
        density += cell[i];
        speedX += X[i] * cell[i];
        speedY += Y[i] * cell[i];
      }
      speedX /= density;
      speedY /= density;
      for (int i = 0; i < SPEEDS; i++) {
        cell[i] += RELAXATION * (equilibrium(i) - cell[i]);
      }
      mass += density;
    }

    private double equilibrium(int i) {
      double along = 3 * (X[i] * speedX + Y[i] * speedY);
      double square = 1.5 * (speedX * speedX + speedY * speedY);
      return WEIGHT[i] * density * (1 + along + along * along / 2 - square);
    }

    /** The mass of the last rows, which a periodic flow keeps over a whole round. */
    @Override
    public long result() {
      if (row > 0 && row % height == 0 && Math.abs(mass - width * height) > 1e-6 * mass) {
        throw new IllegalStateException(
            "mass is " + mass + ", was " + width * height + ": the flow lost some");
      }
      return Double.doubleToLongBits(mass);
    }
  }
}
