package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.RemoteConnection.Answers;
import io.github.roram.storage.remote.WriteCall.WriteRequest;
import io.github.roram.storage.remote.protocol.CarriedWatermark;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.VolumeExtend;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.storage.remote.protocol.XorDescriptor;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.XorGroups;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a store is asked for, as requests that are made one after another. */
interface RemoteCall {

  /** Returns whether there is another request once the previous ones were answered. */
  boolean hasNext();

  /**
   * Returns the next request.
   *
   * @param connection tells what the server accepts
   * @throws IOException thrown by the user's source
   */
  RemoteRequest next(RemoteConnection connection) throws IOException;

  /** Learns that the request returned last was answered. */
  default void answered() {}

  /** Learns that the request returned last has failed for good. */
  default void failed() {}

  /**
   * One request, and what to do with its answer, whoever waits for it. If its connection is lost,
   * it is sent again unchanged over the next one.
   */
  interface RemoteRequest {

    /** Sends the request. */
    Exchange send(RemoteConnection connection) throws IOException;

    /** Takes the next frame of the answer, which the caller releases; whether it was the last. */
    boolean accept(Frame answer) throws IOException;

    /** Sends the request and waits for the whole answer. */
    default void run(RemoteConnection connection, long timeoutNanos) throws IOException {
      try (Exchange exchange = send(connection)) {
        boolean last = false;
        while (!last) {
          Frame answer = exchange.take(timeoutNanos);
          try {
            last = accept(answer);
          } finally {
            answer.release();
          }
        }
      }
    }
  }

  /**
   * A batch in requests that a server takes. How it is cut depends on its extents and the server's
   * limits alone, so a retry asks for the same.
   */
  final class BatchParts {

    /**
     * A request.
     *
     * @param batch its extents
     * @param first number of its first unit over the whole batch; or of its first group
     * @param groups of which the XOR is read; null if all units are
     */
    record Part(ExtentBatch batch, int first, @Nullable XorGroups groups) {}

    private BatchParts() {}

    /** Splits a batch into requests that the server accepts. */
    static List<Part> of(ExtentBatch batch, Welcome limits) {
      return of(batch, limits.maxRequestBytes(), maxExtents(limits, 0));
    }

    private static int maxExtents(Welcome limits, int otherBytes) {
      int room =
          limits.maxPayloadBytes()
              - CarriedWatermark.BYTES
              - ExtentsDescriptor.HEAD_BYTES
              - otherBytes;
      return Math.min(limits.maxExtents(), room / ExtentsDescriptor.EXTENT_BYTES);
    }

    /**
     * Splits a batch into requests of whole groups that the server accepts.
     *
     * @return null if a group is too large for a request
     */
    static @Nullable List<Part> of(ExtentBatch batch, XorGroups groups, Welcome limits) {
      List<Part> parts = new ArrayList<>();
      int group = 0;
      while (group < groups.groups()) {
        int first = group;
        XorGroups taken = groups.emptyLike();
        while (group < groups.groups() && fits(taken, groups, group, limits)) {
          taken.add(groups.units(group++));
        }
        if (taken.groups() == 0) {
          return null;
        }
        ExtentBatch part =
            new ExtentBatch().resetToPart(batch, groups.firstUnit(first), taken.units());
        parts.add(new Part(part, first, taken));
      }
      return parts;
    }

    /** Returns whether another group fits even if each of its units is an extent. */
    private static boolean fits(XorGroups taken, XorGroups groups, int group, Welcome limits) {
      long units = taken.units() + (long) groups.units(group);
      int described = XorDescriptor.bytes(taken.groups() + 1);
      return units * groups.unitBytes() <= limits.maxRequestBytes()
          && units + taken.groups() + 1 <= maxExtents(limits, described)
          && groups.units(group) <= XorDescriptor.MOST_UNITS
          && (long) groups.units(group) * groups.unitBytes() <= XorDescriptor.MOST_BYTES
          && groups.bytes(group) <= limits.maxPayloadBytes();
    }

    private static List<Part> of(ExtentBatch batch, long maxBytes, int maxExtents) {
      if (batch.bytes() <= maxBytes && batch.extents() <= maxExtents) {
        return List.of(new Part(batch, 0, null));
      }
      int maxUnits = (int) Math.min(Integer.MAX_VALUE, maxBytes / batch.unitBytes());
      if (maxUnits == 0) {
        throw new ConfigurationException(
            "units are of "
                + batch.unitBytes()
                + " bytes, the server takes requests of at most "
                + maxBytes
                + ": raise its limit");
      }
      List<Part> parts = new ArrayList<>();
      ExtentBatch current = emptyLike(batch);
      int firstUnit = 0;
      for (int extent = 0; extent < batch.extents(); extent++) {
        int done = 0;
        while (done < batch.units(extent)) {
          if (current.units() == maxUnits || current.extents() == maxExtents) {
            parts.add(new Part(current, firstUnit, null));
            firstUnit += current.units();
            current = emptyLike(batch);
          }
          int units = Math.min(batch.units(extent) - done, maxUnits - current.units());
          current.add(batch.offset(extent) + (long) done * batch.unitBytes(), units);
          done += units;
        }
      }
      parts.add(new Part(current, firstUnit, null));
      return parts;
    }

    private static ExtentBatch emptyLike(ExtentBatch batch) {
      return new ExtentBatch().reset(batch.phase(), batch.tree(), batch.unitBytes());
    }
  }

  /** A call of one request. */
  final class OneRequest implements RemoteCall {

    private final Supplier<RemoteRequest> request;
    private boolean asked;

    /**
     * Creates a call of one request.
     *
     * @param request creates the request when it is its turn
     */
    OneRequest(Supplier<RemoteRequest> request) {
      this.request = request;
    }

    @Override
    public boolean hasNext() {
      return !asked;
    }

    @Override
    public RemoteRequest next(RemoteConnection connection) {
      asked = true;
      return request.get();
    }
  }

  /** Makes the volume larger. Repeated, it finds that done, and succeeds. */
  final class ExtendRequest implements RemoteRequest {

    private final RemoteLine line;
    private final long capacityBytes;

    ExtendRequest(RemoteLine line, long capacityBytes) {
      this.line = line;
      this.capacityBytes = capacityBytes;
    }

    @Override
    public Exchange send(RemoteConnection connection) throws IOException {
      line.session().extending(capacityBytes);
      return connection.request(FrameType.VOLUME_EXTEND, new VolumeExtend(capacityBytes).payload());
    }

    @Override
    public boolean accept(Frame answer) throws IOException {
      Answers.expect(answer, FrameType.DONE, line.address());
      line.session().extended(capacityBytes);
      return true;
    }
  }

  /** A sync, after which the writes that were acknowledged before it are kept no longer. */
  final class SyncRequest implements RemoteRequest {

    private final RemoteAddress address;
    private final UnsyncedWrites unsynced;
    private final List<WriteRequest> covered;

    SyncRequest(RemoteAddress address, UnsyncedWrites unsynced) {
      this.address = address;
      this.unsynced = unsynced;
      covered = unsynced.acknowledgedWrites();
    }

    @Override
    public Exchange send(RemoteConnection connection) throws IOException {
      return connection.request(FrameType.SYNC, Unpooled.EMPTY_BUFFER);
    }

    @Override
    public boolean accept(Frame answer) throws IOException {
      Answers.expect(answer, FrameType.DONE, address);
      unsynced.synced(covered);
      return true;
    }
  }
}
