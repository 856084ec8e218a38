package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.VolumeCreateDescriptor;
import io.github.roram.storage.remote.protocol.VolumeInfoDescriptor;
import io.github.roram.storage.remote.protocol.VolumeNameDescriptor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, looks for and deletes volumes; each call connects, with retries, and disconnects. */
public final class RemoteVolumes {

  private static final SecureRandom RANDOM = new SecureRandom();

  private RemoteVolumes() {}

  /**
   * Creates a volume that reads as zeros.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of this name
   */
  public static void create(RemoteAddress address, long capacityBytes, RemoteOptions options)
      throws IOException {
    ByteBuf payload = Unpooled.buffer();
    new VolumeCreateDescriptor(address.volume(), capacityBytes, RANDOM.nextLong()).encode(payload);
    ask(address, options, FrameType.VOLUME_CREATE, payload, FrameType.DONE, answer -> true);
  }

  /** Whether there is a volume of this name. */
  public static boolean exists(RemoteAddress address, RemoteOptions options) throws IOException {
    try {
      VolumeInfoDescriptor info =
          ask(
              address,
              options,
              FrameType.VOLUME_STAT,
              name(address),
              FrameType.VOLUME_INFO,
              VolumeInfoDescriptor::decode);
      return info.capacityBytes() > 0;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Deletes a volume. When an answer was lost and the repetition finds it gone, it is deleted.
   *
   * @throws NoSuchFileException if there is none of this name
   * @throws io.github.roram.store.StoreLockedException if a client holds its lease
   */
  public static void delete(RemoteAddress address, RemoteOptions options) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (Connector connector = new Connector(address, options)) {
      new Retries(options.times().retryBound(), address)
          .run(
              () -> {
                try (Connection connection = connector.connect()) {
                  asked.incrementAndGet();
                  return ask(
                      connector,
                      connection,
                      FrameType.VOLUME_DELETE,
                      name(address),
                      FrameType.DONE,
                      answer -> true);
                }
              });
    } catch (NoSuchFileException e) {
      if (asked.get() < 2) {
        throw e;
      }
    }
  }

  private static ByteBuf name(RemoteAddress address) {
    ByteBuf payload = Unpooled.buffer();
    new VolumeNameDescriptor(address.volume()).encode(payload);
    return payload;
  }

  /** Reads an answer's payload. */
  @FunctionalInterface
  private interface Reader<T> {
    T read(ByteBuf payload) throws ProtocolException;
  }

  private static <T> T ask(
      RemoteAddress address,
      RemoteOptions options,
      FrameType type,
      ByteBuf payload,
      FrameType answerType,
      Reader<T> reader)
      throws IOException {
    try (Connector connector = new Connector(address, options)) {
      return new Retries(options.times().retryBound(), address)
          .run(
              () -> {
                try (Connection connection = connector.connect()) {
                  return ask(connector, connection, type, payload.duplicate(), answerType, reader);
                }
              });
    }
  }

  private static <T> T ask(
      Connector connector,
      Connection connection,
      FrameType type,
      ByteBuf payload,
      FrameType answerType,
      Reader<T> reader)
      throws IOException {
    try (Exchange exchange = connection.request(type, payload)) {
      Frame answer = exchange.take(connector.requestTimeoutNanos());
      try {
        Answers.expect(answer, answerType, connector.address());
        return reader.read(answer.payload());
      } finally {
        answer.release();
      }
    }
  }
}
