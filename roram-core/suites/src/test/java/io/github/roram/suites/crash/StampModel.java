package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

/** What a {@link StampingWriter} said, and so what the store must hold. */
final class StampModel {

  private final long[] held;
  private final boolean atomic;
  private long stamp;
  private int first;
  private int count;
  private boolean inDoubt;
  private long acknowledged;
  private long checks;
  private String lastWord = "";

  /**
   * A store of zeros.
   *
   * @param atomic whether a write is there as a whole or not at all; else each of its blocks is
   */
  StampModel(int blocks, boolean atomic) {
    held = new long[blocks];
    this.atomic = atomic;
  }

  long nextStamp() {
    return stamp + 1;
  }

  long acknowledged() {
    return acknowledged;
  }

  /** How often a writer said what the store holds. */
  long checks() {
    return checks;
  }

  /** First word of the last line. */
  String lastWord() {
    return lastWord;
  }

  /** Takes in a line; one that the kill cut short says nothing. */
  void accept(String line) {
    lastWord = line.split(" ", 2)[0];
    String[] words = line.split(" ");
    switch (words[0]) {
      case "holds" -> {
        if (words.length == held.length + 1) {
          check(words);
        }
      }
      case "writes" -> {
        assertThat(inDoubt).isFalse();
        stamp = Long.parseLong(words[1]);
        first = Integer.parseInt(words[2]);
        count = Integer.parseInt(words[3]);
        inDoubt = true;
      }
      case "wrote" -> {
        assertThat(Long.parseLong(words[1])).isEqualTo(stamp);
        for (int block = first; block < first + count; block++) {
          held[block] = stamp;
        }
        inDoubt = false;
        acknowledged++;
      }
      case "verified" -> assertThat(line).isEqualTo("verified 0");
      default -> assertThat(line).isIn("opening", "recovered", "closed");
    }
  }

  private void check(String[] words) {
    checks++;
    boolean there = inDoubt && Long.parseLong(words[1 + first]) == stamp;
    for (int block = 0; block < held.length; block++) {
      long found = Long.parseLong(words[1 + block]);
      if (inDoubt && block >= first && block < first + count) {
        boolean written = found == stamp;
        assertThat(written || found == held[block]).as("block %d holds %d", block, found).isTrue();
        assertThat(!atomic || written == there).as("write %d is atomic", stamp).isTrue();
        held[block] = found;
      } else {
        assertThat(found).as("stamp of block %d", block).isEqualTo(held[block]);
      }
    }
    inDoubt = false;
  }
}
