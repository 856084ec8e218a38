package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameType;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;

/** A sync, after which the writes that were acknowledged before it are kept no longer. */
final class SyncRound implements Round {

  private final RemoteAddress address;
  private final UnsyncedWrites unsynced;
  private final List<WriteRequest> covered;

  SyncRound(RemoteAddress address, UnsyncedWrites unsynced) {
    this.address = address;
    this.unsynced = unsynced;
    covered = unsynced.acknowledgedWrites();
  }

  @Override
  public Exchange send(Connection connection) throws IOException {
    return connection.request(FrameType.SYNC, Unpooled.EMPTY_BUFFER);
  }

  @Override
  public boolean accept(Frame answer) throws IOException {
    Answers.expect(answer, FrameType.DONE, address);
    unsynced.synced(covered);
    return true;
  }
}
