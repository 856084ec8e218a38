package io.github.roram.map;

import java.nio.ByteBuffer;

/** The keyed hash of a word, which identifies it in an index. */
record Term(long high, long low) implements Comparable<Term> {

  static final int BYTES = 16;

  static Term get(ByteBuffer from) {
    return new Term(from.getLong(), from.getLong());
  }

  void put(ByteBuffer to) {
    to.putLong(high).putLong(low);
  }

  @Override
  public int compareTo(Term other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }
}
