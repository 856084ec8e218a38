package io.github.roram.suites;

import java.io.IOException;

/** Of rORAM: every tree's buckets are resealed by what a counter says of them. */
final class RekeyedCopiesTest extends RekeyedCopies {

  RekeyedCopiesTest() throws IOException {
    super(builder("roram").windowBlocks(0).build());
  }
}
