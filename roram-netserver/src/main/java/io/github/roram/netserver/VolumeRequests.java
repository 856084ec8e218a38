package io.github.roram.netserver;

import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.storage.remote.protocol.CarriedWatermark;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeInfo;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeOpened;
import io.github.roram.storage.remote.protocol.Message.VolumeService;
import io.github.roram.storage.remote.protocol.Message.VolumeUse;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.VolumePage;
import io.github.roram.threads.Futures;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a connection that concern whole volumes. Volumes are looked up one after another,
 * off the event loop, and the requests run on the volume's own queue. Call methods on the event
 * loop unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is answered
final class VolumeRequests {

  private final ServerContext server;
  private final Channel channel;
  private final Volume.Holder holder;
  private final ReadQueue reads;
  private final Replies replies;
  private final ConnectionIntake intake;
  private @Nullable Volume opened;
  private boolean asked;

  VolumeRequests(
      ServerContext server,
      Channel channel,
      Volume.Holder holder,
      ReadQueue reads,
      Replies replies,
      ConnectionIntake intake) {
    this.server = server;
    this.channel = channel;
    this.holder = holder;
    this.reads = reads;
    this.replies = replies;
    this.intake = intake;
  }

  /** Returns the volume that the connection has opened. */
  Volume opened() throws RequestException {
    Volume open = opened;
    if (open == null) {
      throw new RequestException(ErrorCode.INVALID, "no volume is open on this connection");
    }
    return open;
  }

  /** Passes on the watermark of a request; the volume stores it before the request is done. */
  void carried(byte[] watermark) {
    Volume open = opened;
    if (open != null && CarriedWatermark.isThere(watermark)) {
      open.carried(holder, watermark);
    }
  }

  /** Notes that the connection has ended. */
  void disconnected() {
    Volume left = opened;
    if (left != null) {
      left.serial().execute(() -> left.disconnected(holder));
    }
  }

  void sync(long id) {
    onVolume(
        id,
        open -> {
          open.sync(holder);
          replies.done(id);
        });
  }

  void close(long id) {
    onVolume(
        id,
        open -> {
          open.release(holder);
          replies.done(id);
        });
  }

  /** Applies how the client wants to use the volume, as far as the limits allow. */
  void use(long id, VolumeUse use) {
    onVolume(
        id,
        use.parts().size(),
        open -> {
          int atATime = server.config().limits().reads().granted(use.reads());
          reads.setAtATime(atATime);
          long cachedBytes = open.cache(holder, use.parts(), server.cacheBudget());
          VolumeService service = new VolumeService(atATime, cachedBytes);
          replies.send(FrameType.VOLUME_SERVICE, id, service::encode);
        });
  }

  void create(long id, VolumeCreate request) {
    inCatalog(
        id,
        request.name(),
        Action.CREATE,
        client ->
            server
                .volumes()
                .create(request, client, server.config().access())
                .whenComplete(
                    (created, failure) ->
                        end(
                            id,
                            failure,
                            () -> {
                              replies.done(id);
                              intake.endedSoon();
                            })));
  }

  /** Makes the open volume larger, if the client could have created it that large. */
  void extend(long id, long capacityBytes) {
    onVolume(
        id,
        open -> {
          requireAllowed(open.name(), Action.CREATE);
          server.volumes().extend(open, holder, capacityBytes, server.config().access());
          replies.done(id);
        });
  }

  void open(long id, VolumeOpen request) throws ProtocolException {
    if (asked) {
      throw new ProtocolException("a connection opens one volume, this one has asked for it");
    }
    asked = true;
    onFound(id, request.name(), Action.USE, found -> openOn(found, id, request));
  }

  void stat(long id, String name) {
    onFound(
        id,
        name,
        Action.USE,
        found -> {
          long bytes = found.store().capacityBytes();
          VolumeInfo info = new VolumeInfo(bytes, found.isHeld());
          replies.send(FrameType.VOLUME_INFO, id, info::encode);
        });
  }

  /** Lists the volumes that the client may use; it does not learn the names of others. */
  void list(long id, String after) {
    ClientIdentity client = holder.client();
    try {
      server.refuseWhileDraining();
    } catch (RequestException e) {
      refuse(id, e);
      return;
    }
    AccessPolicy access = server.config().access();
    server
        .catalog()
        .execute(
            () -> {
              try {
                VolumePage page =
                    server.volumes().list(after, name -> access.allows(client, name, Action.USE));
                replies.send(FrameType.VOLUME_PAGE, id, page::encode);
              } catch (RuntimeException | Error e) {
                replies.error(id, e);
              } finally {
                intake.endedSoon();
              }
            });
  }

  void delete(long id, String name) {
    onFound(
        id,
        name,
        Action.DELETE,
        found -> {
          server.volumes().delete(name, found);
          replies.done(id);
        });
  }

  private void openOn(Volume found, long id, VolumeOpen request)
      throws IOException, RequestException {
    VolumeOpened answer;
    try {
      answer = found.open(holder, request);
    } catch (IOException | RequestException e) {
      // No volume was opened: a client that has lost the lease of an earlier process asks for one
      // of its own.
      channel.eventLoop().execute(() -> asked = false);
      throw e;
    }
    channel
        .eventLoop()
        .execute(
            () -> {
              opened = found;
              if (!channel.isActive()) {
                disconnected();
              }
            });
    replies.send(FrameType.VOLUME_OPENED, id, answer::encode);
  }

  /** Work on a volume, on its queue. */
  @FunctionalInterface
  private interface VolumeWork {
    void on(Volume volume) throws IOException, RequestException;
  }

  private void onVolume(long id, VolumeWork work) {
    onVolume(id, 0, work);
  }

  /** Does work on the open volume, for a request with a list of {@code parts}. */
  private void onVolume(long id, int parts, VolumeWork work) {
    try {
      Volume open = opened();
      if (parts > 0) {
        intake.admit(parts);
      }
      queue(id, open, parts, work);
    } catch (RequestException e) {
      refuse(id, e);
    }
  }

  private void onFound(long id, String name, Action action, VolumeWork work) {
    inCatalog(
        id,
        name,
        action,
        client ->
            server
                .volumes()
                .get(name)
                .whenComplete(
                    (found, failure) -> end(id, failure, () -> queue(id, found, 0, work))));
  }

  /** Refuses a request before it has begun. */
  private void refuse(long id, RequestException e) {
    replies.error(id, e);
    intake.ended();
  }

  /**
   * Runs {@code otherwise} if the volume is available; else answers with the failure. May be called
   * on any thread.
   */
  private void end(long id, @Nullable Throwable failure, Runnable otherwise) {
    if (failure == null) {
      otherwise.run();
      return;
    }
    try {
      replies.error(id, Futures.cause(failure));
    } finally {
      intake.endedSoon();
    }
  }

  /** Looks up volumes for a client, off the event loop; the work ends the request itself. */
  private void inCatalog(long id, String name, Action action, Consumer<ClientIdentity> work) {
    ClientIdentity client = holder.client();
    try {
      server.refuseWhileDraining();
      requireAllowed(name, action);
    } catch (RequestException e) {
      refuse(id, e);
      return;
    }
    server.catalog().execute(() -> work.accept(client));
  }

  private void requireAllowed(String name, Action action) throws RequestException {
    if (!server.config().access().allows(holder.client(), name, action)) {
      throw new RequestException(
          ErrorCode.UNAUTHORISED, "no access to this volume: ask the server's operator for it");
    }
  }

  /** Does work on the volume's queue, reports its failure, and ends the request. */
  private void queue(long id, Volume volume, int parts, VolumeWork work) {
    volume
        .serial()
        .execute(
            () -> {
              try {
                work.on(volume);
              } catch (IOException | RequestException | RuntimeException | Error e) {
                replies.error(id, e);
              } finally {
                intake.endedSoon(parts);
              }
            });
  }
}
