package io.github.roram.auditor.workload;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.storage.view.ViewRecorder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** How the requests of a client come to his ORAM: by calls of the library, or through a server. */
public interface Way {

  /**
   * What a client asks for. Every access that must be made for it is declared to the recorder, by
   * what may show of the request alone; whatever else shows is a leak. For one thread.
   */
  interface Requests extends Closeable {
    /** Reads blocks. */
    void read(long block, int count) throws IOException;

    /** Writes blocks. */
    void write(long block, ByteBuffer source) throws IOException;

    /** Reads bytes. */
    void readBytes(long position, int bytes) throws IOException;

    /** Writes bytes. */
    void writeBytes(long position, ByteBuffer source) throws IOException;

    /** Says that blocks are needed no more. */
    void trim(long block, int count) throws IOException;

    /** Ends what the way itself needs, and waits for it; may close the ORAM, which is next. */
    @Override
    void close() throws IOException;
  }

  /** Whether clients see a device. */
  default boolean isDevice() {
    return false;
  }

  /** Whether clients see memory of pages. */
  default boolean isPaging() {
    return false;
  }

  /** The options that an ORAM is opened with for this way. */
  OpenOptions options(OpenOptions options, OramConfig config);

  /** A way to an open ORAM. */
  Requests to(Oram oram, ViewRecorder recorder) throws IOException;

  /** Memory of pages. */
  static Way paging() {
    return new PagingWay();
  }

  /** Calls of the library. */
  static Way direct() {
    return new DirectWay();
  }
}
