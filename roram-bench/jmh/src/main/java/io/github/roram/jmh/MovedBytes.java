package io.github.roram.jmh;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Bytes that operations moved; JMH reports them per second and sets them to zero. */
@State(Scope.Thread)
@AuxCounters
public class MovedBytes {

  /** Since the iteration started. */
  public long bytes;
}
