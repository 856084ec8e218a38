package io.github.roram.bench.trace;

import java.io.IOException;
import java.io.InputStream;

/** Opens the bytes of a trace, from the first on. */
@FunctionalInterface
interface ByteSource {

  /** A new stream, which the caller closes. */
  InputStream open() throws IOException;
}
