package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Results of groups of units that are on several stripes: each returns the XOR of those that it
 * has, and these are put together. For one thread, but for its lanes, each of which another thread
 * may read.
 */
final class StripedXor {

  private static final int MOST_BYTES = 1 << 20;

  private final XorGroups groups;
  private final int first;
  private final int count;
  private final List<Lane> lanes = new ArrayList<>();

  /** The results, guarded by itself while lanes are read. */
  private final byte[] results;

  /**
   * Takes groups of a batch, none of which has a unit on two stripes.
   *
   * @param first the first group; as many follow as have results that fit in a megabyte
   */
  StripedXor(
      List<BlockStore> stripes,
      StripePlacement placement,
      ExtentBatch batch,
      XorGroups groups,
      int first) {
    this.groups = groups;
    this.first = first;
    stripes.forEach(stripe -> lanes.add(new Lane(stripe, batch)));
    int end = first;
    int bytes = 0;
    ExtentBatch one = new ExtentBatch();
    do {
      add(one.resetToPart(batch, groups.firstUnit(end), groups.units(end)), bytes, placement);
      bytes += groups.bytes(end++);
    } while (end < groups.groups() && bytes + groups.bytes(end) <= MOST_BYTES);
    count = end - first;
    results = new byte[bytes];
  }

  /** Adds a group whose result begins at a place. */
  private void add(ExtentBatch group, int place, StripePlacement placement) {
    int at = place;
    for (int extent = 0; extent < group.extents(); extent++) {
      for (int unit = 0; unit < group.units(extent); unit++) {
        long offset = group.offset(extent) + (long) unit * group.unitBytes();
        lanes.get(placement.stripe(offset)).add(offset, at);
        at += ends();
      }
    }
    for (Lane lane : lanes) {
      lane.endGroup(at);
    }
  }

  private int ends() {
    return groups.headBytes() + groups.tailBytes();
  }

  /** Returns the number of the first group after these. */
  int end() {
    return first + count;
  }

  /** Returns the lanes that have data. */
  List<Lane> lanes() {
    return lanes.stream().filter(lane -> lane.batch.units() > 0).toList();
  }

  /** Hands over what was read. */
  void give(UnitSink sink) throws IOException {
    int place = 0;
    for (int group = first; group < end(); group++) {
      int bytes = groups.bytes(group);
      sink.accept(group, ByteBuffer.wrap(results, place, bytes).slice());
      place += bytes;
    }
  }

  /** The parts of the groups on one stripe. For use by one thread. */
  final class Lane {

    private final BlockStore stripe;
    private final ExtentBatch batch = new ExtentBatch();
    private final XorGroups parts = groups.emptyLike();

    /** Where the head and tail of each unit stand in the results. */
    private int[] places = new int[16];

    /** Where the XOR stands that each part belongs to. */
    private int[] bodies = new int[16];

    private Lane(BlockStore stripe, ExtentBatch of) {
      this.stripe = stripe;
      batch.reset(of.phase(), of.tree(), of.unitBytes());
    }

    private void add(long offset, int place) {
      if (batch.units() == places.length) {
        places = Arrays.copyOf(places, 2 * places.length);
      }
      places[batch.units()] = place;
      batch.add(StripeDescriptor.BYTES + offset, 1);
    }

    /** Ends a group, which consists of the units that were added since the last one. */
    private void endGroup(int body) {
      int units = batch.units() - parts.units();
      if (units > 0) {
        if (parts.groups() == bodies.length) {
          bodies = Arrays.copyOf(bodies, 2 * bodies.length);
        }
        bodies[parts.groups()] = body;
        parts.add(units);
      }
    }

    /** Reads the lane's parts into the results. */
    void read() throws IOException {
      stripe.readXor(
          batch,
          parts,
          (part, result) -> {
            byte[] body = new byte[groups.unitBytes() - ends()];
            synchronized (results) {
              for (int unit = 0; unit < parts.units(part); unit++) {
                result.get(results, places[parts.firstUnit(part) + unit], ends());
              }
              result.get(body);
              XorGroups.xor(body, 0, results, bodies[part], body.length);
            }
          });
    }
  }
}
