package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a {@link StampingWriter} said, and so what the store must hold. */
public final class StampModel {

  private record Write(long stamp, int first, int count) {
    boolean has(int block) {
      return block >= first && block < first + count;
    }
  }

  private final long[] held;
  private final boolean atomic;
  private final List<Write> doubtful = new ArrayList<>();
  private long stamp;
  private long acknowledged;
  private long checks;
  private String lastWord = "";

  /**
   * A store of zeros.
   *
   * @param atomic whether a write is there as a whole or not at all; else each of its blocks is
   */
  public StampModel(int blocks, boolean atomic) {
    held = new long[blocks];
    this.atomic = atomic;
  }

  /** One that was not written yet. */
  public long nextStamp() {
    return stamp + 1;
  }

  /** How many writes were acknowledged, or flushed. */
  public long acknowledged() {
    return acknowledged;
  }

  /** How often a writer said what the store holds. */
  public long checks() {
    return checks;
  }

  /** First word of the last line. */
  public String lastWord() {
    return lastWord;
  }

  /** Takes in a line; one that the kill cut short says nothing. */
  public void accept(String line) {
    lastWord = line.split(" ", 2)[0];
    String[] words = line.split(" ");
    switch (words[0]) {
      case "holds" -> {
        if (words.length == held.length + 1) {
          check(Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray());
        }
      }
      case "writes" -> {
        stamp = Long.parseLong(words[1]);
        doubtful.add(new Write(stamp, Integer.parseInt(words[2]), Integer.parseInt(words[3])));
      }
      case "wrote" -> {
        assertThat(Long.parseLong(words[1])).isEqualTo(stamp);
        acknowledge();
      }
      case "closed" -> acknowledge();
      case "verified" -> assertThat(line).isEqualTo("verified 0");
      default -> assertThat(line).isIn("opening", "recovered");
    }
  }

  private void acknowledge() {
    doubtful.forEach(write -> apply(held, write));
    acknowledged += doubtful.size();
    doubtful.clear();
  }

  private static void apply(long[] blocks, Write write) {
    Arrays.fill(blocks, write.first, write.first + write.count, write.stamp);
  }

  /** There is what was acknowledged, and of the doubtful writes those up to some. */
  private void check(long[] found) {
    checks++;
    long[] expected = held.clone();
    boolean fits = Arrays.equals(expected, found);
    for (Write write : doubtful) {
      fits |= !atomic && isPartOf(write, expected, found);
      apply(expected, write);
      fits |= Arrays.equals(expected, found);
    }
    assertThat(fits)
        .as("found %s, held %s, then %s", Arrays.toString(found), Arrays.toString(held), doubtful)
        .isTrue();
    System.arraycopy(found, 0, held, 0, held.length);
    doubtful.clear();
  }

  /** Whether there is what was before, and of a write some blocks. */
  private static boolean isPartOf(Write write, long[] before, long[] found) {
    boolean part = true;
    for (int block = 0; block < found.length; block++) {
      boolean written = write.has(block) && found[block] == write.stamp;
      part &= written || found[block] == before[block];
    }
    return part;
  }
}
