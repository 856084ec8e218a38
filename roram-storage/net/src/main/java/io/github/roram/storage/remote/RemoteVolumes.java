package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteConnection.Reader;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeInfo;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.VolumePage;
import io.github.roram.storage.remote.protocol.VolumePage.Listed;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, lists and deletes volumes; each call connects, with retries, and disconnects. */
public final class RemoteVolumes {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Most volumes in a list; a longer list is an attack on this client's memory. */
  private static final int MOST_LISTED = 1 << 20;

  private RemoteVolumes() {}

  /**
   * Creates a volume that reads as zeros.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a volume of this name
   */
  public static void create(RemoteAddress address, long capacityBytes, RemoteOptions options)
      throws IOException {
    VolumeCreate creation = new VolumeCreate(address.volume(), capacityBytes, RANDOM.nextLong());
    ask(address, options, FrameType.VOLUME_CREATE, creation, FrameType.DONE, answer -> true);
  }

  /** Returns whether there is a volume of this name. */
  public static boolean exists(RemoteAddress address, RemoteOptions options) throws IOException {
    try {
      VolumeInfo info =
          ask(
              address,
              options,
              FrameType.VOLUME_STAT,
              new VolumeName(address.volume()),
              FrameType.VOLUME_INFO,
              VolumeInfo::decode);
      return info.capacityBytes() > 0;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Returns the volumes that this client may use, in the order of their names.
   *
   * @param server {@linkplain RemoteAddress#ofServer address} of the server; its volume is ignored
   */
  public static List<Listed> list(RemoteAddress server, RemoteOptions options) throws IOException {
    return connected(server, options, RemoteVolumes::list);
  }

  private static List<Listed> list(RemoteConnection connection, long timeoutNanos)
      throws IOException {
    List<Listed> volumes = new ArrayList<>();
    boolean more = true;
    while (more) {
      String after = volumes.isEmpty() ? "" : volumes.get(volumes.size() - 1).name();
      VolumePage page =
          connection.ask(
              FrameType.VOLUME_LIST,
              new VolumeName(after).payload(),
              FrameType.VOLUME_PAGE,
              answer -> VolumePage.decode(answer, after),
              timeoutNanos);
      volumes.addAll(page.volumes());
      more = page.more();
      if (volumes.size() > MOST_LISTED) {
        throw new ProtocolException(
            "the server lists more than " + MOST_LISTED + " volumes: it is not one of roram's");
      }
    }
    return volumes;
  }

  /**
   * Deletes a volume. If an answer is lost and the retry finds no volume, the deletion succeeded.
   *
   * @throws NoSuchFileException if there is no volume of this name
   * @throws io.github.roram.store.StoreLockedException if a client holds its lease
   */
  public static void delete(RemoteAddress address, RemoteOptions options) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try {
      connected(
          address,
          options,
          (connection, timeoutNanos) -> {
            asked.incrementAndGet();
            return connection.ask(
                FrameType.VOLUME_DELETE,
                new VolumeName(address.volume()).payload(),
                FrameType.DONE,
                answer -> true,
                timeoutNanos);
          });
    } catch (NoSuchFileException e) {
      if (asked.get() < 2) {
        throw e;
      }
    }
  }

  private static <T> T ask(
      RemoteAddress address,
      RemoteOptions options,
      FrameType type,
      Message request,
      FrameType answerType,
      Reader<T> reader)
      throws IOException {
    return connected(
        address,
        options,
        (connection, timeoutNanos) ->
            connection.ask(type, request.payload(), answerType, reader, timeoutNanos));
  }

  /** A question to the server, asked over a new connection each time. */
  @FunctionalInterface
  private interface Question<T> {
    T ask(RemoteConnection connection, long timeoutNanos) throws IOException;
  }

  private static <T> T connected(RemoteAddress address, RemoteOptions options, Question<T> question)
      throws IOException {
    try (Connector connector = new Connector(address, options)) {
      return new Retries(options.times().retryBound(), address)
          .run(
              () -> {
                try (RemoteConnection connection = connector.connect()) {
                  return question.ask(connection, connector.requestTimeoutNanos());
                }
              });
    }
  }
}
