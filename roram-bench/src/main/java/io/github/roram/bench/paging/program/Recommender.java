package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.paging.Memory;
import java.util.SplittableRandom;

/**
 * Collaborative filtering: ratings are factored into vectors of users and items by stochastic
 * gradient descent. Ratings come from hidden vectors of the same length, with noise.
 *
 * @param users how many
 * @param items how many
 * @param ratings known ratings
 * @param rounds how often all ratings are gone through
 */
public record Recommender(int users, int items, int ratings, int rounds) implements Program {

  private static final int FACTORS = 16;
  private static final int VECTOR_BYTES = FACTORS * Double.BYTES;
  private static final int RATING_BYTES = 16;
  private static final double RATE = 0.05;
  private static final double SHRINK = 0.01;
  private static final double NOISE = 0.1;

  @Override
  public String id() {
    return "recommender";
  }

  @Override
  public String description() {
    return ratings
        + " ratings of "
        + users
        + " users and "
        + items
        + " items, "
        + FACTORS
        + " factors, "
        + rounds
        + " rounds";
  }

  @Override
  public long bytes() {
    return ratingPlace(ratings);
  }

  private long ratingPlace(int rating) {
    return (long) (users + items) * VECTOR_BYTES + (long) rating * RATING_BYTES;
  }

  @Override
  public Run start(Memory memory) {
    SplittableRandom random = new SplittableRandom(ratings);
    double[][] hidden = vectors(random, users + items);
    double[][] first = vectors(random, users + items);
    for (int i = 0; i < users + items; i++) {
      memory.putDoubles((long) i * VECTOR_BYTES, first[i], 0, FACTORS);
    }
    for (int i = 0; i < ratings; i++) {
      int user = random.nextInt(users);
      int item = users + random.nextInt(items);
      double value = product(hidden[user], hidden[item]) + NOISE * (random.nextDouble() - 0.5);
      memory.slice(ratingPlace(i), RATING_BYTES).putInt(user).putInt(item).putDouble(value);
    }
    return new Descent(memory);
  }

  private static double[][] vectors(SplittableRandom random, int count) {
    double[][] vectors = new double[count][FACTORS];
    for (double[] vector : vectors) {
      for (int i = 0; i < FACTORS; i++) {
        vector[i] = random.nextDouble() - 0.3;
      }
    }
    return vectors;
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < FACTORS; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** A rating a step. */
  final class Descent implements Run {
    private final Memory memory;
    private final double[] user = new double[FACTORS];
    private final double[] item = new double[FACTORS];
    private final double[] errorOfRound = new double[rounds];
    private int done;

    private Descent(Memory memory) {
      this.memory = memory;
    }

    @Override
    public boolean step() {
      if (done == ratings * rounds) {
        return false;
      }
      long rating = ratingPlace(done % ratings);
      long userPlace = (long) memory.getInt(rating) * VECTOR_BYTES;
      long itemPlace = (long) memory.getInt(rating + Integer.BYTES) * VECTOR_BYTES;
      memory.getDoubles(userPlace, user, 0, FACTORS);
      memory.getDoubles(itemPlace, item, 0, FACTORS);
      double error = memory.getDouble(rating + Long.BYTES) - product(user, item);
      for (int i = 0; i < FACTORS; i++) {
        double before = user[i];
        user[i] += RATE * (error * item[i] - SHRINK * before);
        item[i] += RATE * (error * before - SHRINK * item[i]);
      }
      memory.putDoubles(userPlace, user, 0, FACTORS);
      memory.putDoubles(itemPlace, item, 0, FACTORS);
      errorOfRound[done / ratings] += error * error;
      done++;
      return true;
    }

    /** Returns the root of the mean squared error of a round. */
    double error(int round) {
      return Math.sqrt(errorOfRound[round] / ratings);
    }

    @Override
    public long result() {
      long sum = 0;
      for (double error : errorOfRound) {
        sum = sum * 31 + Double.doubleToLongBits(error);
      }
      return sum;
    }
  }
}
