/**
 * DetWoORAM: a scheme that hides writes, and writes alone. It is used by its id, {@code detwo}.
 *
 * @provides io.github.roram.Scheme DetWoORAM
 */
module io.github.roram.detwo {
  requires static org.jspecify;
  requires io.github.roram;
  requires org.slf4j;

  provides io.github.roram.Scheme with
      io.github.roram.detwo.DetWoScheme;
}
