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

  /** Whether there is another request, once those before were answered. */
  boolean hasNext();

  /**
   * The next request.
   *
   * @param connection says what the server takes
   * @throws IOException what the user's source threw
   */
  RemoteRequest next(RemoteConnection connection) throws IOException;

  /** The request that was returned last was answered. */
  default void answered() {}

  /** The request that was returned last failed for good. */
  default void failed() {}

  /**
   * One request and what its answer means, whoever waits for it. After its connection was lost it
   * is sent again over the next one, as it was.
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

    /** In requests that a server takes. */
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
     * In requests that a server takes, of whole groups.
     *
     * @return null if a group is too large to be one
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

    /** Whether another group fits, were each of its units an extent. */
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
     * A call.
     *
     * @param request makes the request when its turn has come
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
