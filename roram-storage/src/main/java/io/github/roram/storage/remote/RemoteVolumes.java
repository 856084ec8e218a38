package io.github.roram.storage.remote;

import io.github.roram.storage.RemoteOptions;
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
   * Deletes a volume. A repetition, because an answer was lost, may find it gone already.
   *
   * @throws NoSuchFileException if there is none of this name
   * @throws io.github.roram.store.StoreLockedException if a client holds its lease
   */
  public static void delete(RemoteAddress address, RemoteOptions options) throws IOException {
    ask(address, options, FrameType.VOLUME_DELETE, name(address), FrameType.DONE, answer -> true);
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
      return new Retries(options.retryBound(), address)
          .run(
              () -> {
                try (Connection connection = connector.connect();
                    Exchange exchange = connection.request(type, payload.duplicate())) {
                  Frame answer = exchange.take(connector.requestTimeoutNanos());
                  try {
                    Answers.expect(answer, answerType, address);
                    return reader.read(answer.payload());
                  } finally {
                    answer.release();
                  }
                }
              });
    }
  }
}
