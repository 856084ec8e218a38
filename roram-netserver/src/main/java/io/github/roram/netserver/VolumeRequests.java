package io.github.roram.netserver;

import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.VolumeCreateDescriptor;
import io.github.roram.storage.remote.protocol.VolumeInfoDescriptor;
import io.github.roram.storage.remote.protocol.VolumeOpenDescriptor;
import io.github.roram.storage.remote.protocol.VolumeOpenedDescriptor;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a connection that are about volumes as a whole. They are looked up one after
 * another, off the event loop, and done on the volume's own queue. Methods are for the event loop
 * unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is answered
final class VolumeRequests {

  private final ServerContext server;
  private final ConnectionHandler connection;
  private @Nullable Volume opened;
  private boolean asked;

  VolumeRequests(ServerContext server, ConnectionHandler connection) {
    this.server = server;
    this.connection = connection;
  }

  /** The volume that is open on the connection. */
  Volume opened() throws RequestException {
    Volume open = opened;
    if (open == null) {
      throw new RequestException(ErrorCode.INVALID, "no volume is open on this connection");
    }
    return open;
  }

  /** The connection ended. */
  void disconnected() {
    Volume left = opened;
    if (left != null) {
      left.serial().execute(() -> left.disconnected(connection));
    }
  }

  void sync(long id) {
    onVolume(
        id,
        open -> {
          open.sync(connection);
          connection.replies().done(id);
        });
  }

  void close(long id) {
    onVolume(
        id,
        open -> {
          open.release(connection);
          connection.replies().done(id);
        });
  }

  void create(long id, VolumeCreateDescriptor request) {
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
                              connection.replies().done(id);
                              connection.requestEnded();
                            })));
  }

  void open(long id, VolumeOpenDescriptor request) throws ProtocolException {
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
          VolumeInfoDescriptor info = new VolumeInfoDescriptor(bytes, found.isHeld());
          connection.replies().send(FrameType.VOLUME_INFO, id, info::encode);
        });
  }

  void delete(long id, String name) {
    onFound(
        id,
        name,
        Action.DELETE,
        found -> {
          server.volumes().delete(name, found);
          connection.replies().done(id);
        });
  }

  private void openOn(Volume found, long id, VolumeOpenDescriptor request)
      throws IOException, RequestException {
    VolumeOpenedDescriptor answer = found.open(connection, request);
    connection.onLoop(
        () -> {
          opened = found;
          if (!connection.isOpen()) {
            disconnected();
          }
        });
    connection.replies().send(FrameType.VOLUME_OPENED, id, answer::encode);
  }

  /** Work on a volume, on its queue. */
  @FunctionalInterface
  private interface VolumeWork {
    void on(Volume volume) throws IOException, RequestException;
  }

  /** Work off the event loop for a client. */
  @FunctionalInterface
  private interface Work {
    void runFor(ClientIdentity client);
  }

  private void onVolume(long id, VolumeWork work) {
    try {
      queue(id, opened(), work);
    } catch (RequestException e) {
      connection.refuse(id, e);
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
                .whenComplete((found, failure) -> end(id, failure, () -> queue(id, found, work))));
  }

  /** Any thread: goes on with a request whose volume is there, or answers why it is not. */
  private void end(long id, @Nullable Throwable failure, Runnable otherwise) {
    if (failure == null) {
      otherwise.run();
      return;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    try {
      connection.replies().error(id, cause == null ? failure : cause);
    } finally {
      connection.requestEnded();
    }
  }

  /** Looks up volumes; the work ends the request itself. */
  private void inCatalog(long id, String name, Action action, Work work) {
    ClientIdentity client = connection.client();
    try {
      server.state().refuseWhileDraining();
      if (!server.config().access().allows(client, name, action)) {
        throw new RequestException(
            ErrorCode.UNAUTHORISED, "no access to this volume: ask the server's operator for it");
      }
    } catch (RequestException e) {
      connection.refuse(id, e);
      return;
    }
    server.catalog().execute(() -> work.runFor(client));
  }

  /** Does the work on the volume's queue, tells of its failure, and ends the request. */
  private void queue(long id, Volume volume, VolumeWork work) {
    volume
        .serial()
        .execute(
            () -> {
              try {
                work.on(volume);
              } catch (IOException | RequestException | RuntimeException | Error e) {
                connection.replies().error(id, e);
              } finally {
                connection.requestEnded();
              }
            });
  }
}
