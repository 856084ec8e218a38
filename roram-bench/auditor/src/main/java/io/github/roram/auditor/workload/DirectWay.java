package io.github.roram.auditor.workload;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** Calls of the library, and transfers through its channel. */
final class DirectWay implements Way {

  @Override
  public OpenOptions options(OpenOptions options, OramConfig config) {
    return options;
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) {
    return new Calls(new RecordedOram(oram, recorder));
  }

  @Override
  public String toString() {
    return "the library";
  }

  private static final class Calls implements Requests {
    private final Oram oram;
    private final SeekableByteChannel channel;

    Calls(Oram oram) {
      this.oram = oram;
      channel = oram.channel();
    }

    @Override
    public void read(long block, int count) throws IOException {
      oram.read(block, count);
    }

    @Override
    public void write(long block, ByteBuffer source) throws IOException {
      oram.write(block, source);
    }

    @Override
    public void readBytes(long position, int bytes) throws IOException {
      channel.position(position);
      ByteBuffer target = ByteBuffer.allocate(bytes);
      while (target.hasRemaining() && channel.read(target) >= 0) {
        // Until all are there.
      }
    }

    @Override
    public void writeBytes(long position, ByteBuffer source) throws IOException {
      channel.position(position);
      while (source.hasRemaining()) {
        channel.write(source);
      }
    }

    @Override
    public void trim(long block, int count) throws IOException {
      oram.trim(block, count);
    }

    @Override
    public void close() {}
  }
}
