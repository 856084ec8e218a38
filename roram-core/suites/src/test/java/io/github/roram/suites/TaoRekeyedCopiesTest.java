package io.github.roram.suites;

import java.io.IOException;

/** Of a TaORAM: which buckets it reseals, and of which versions, is said by other buckets. */
final class TaoRekeyedCopiesTest extends RekeyedCopies {

  TaoRekeyedCopiesTest() throws IOException {
    super(builder("tao").build());
  }
}
