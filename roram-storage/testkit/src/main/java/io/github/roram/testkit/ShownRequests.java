package io.github.roram.testkit;

import io.github.roram.OramConfig;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** What accesses of the same sizes, in the same order, show to the store. */
final class ShownRequests {

  private static final int ACCESSES = 40;

  /** What the accesses do. */
  enum Way {
    READ,
    WRITE,
    UPDATE
  }

  private ShownRequests() {}

  /** Accesses ranges of given sizes, at places that follow from a seed. */
  static List<Request> of(ModelledOram modelled, RecordingStore recording, Way way, int placesSeed)
      throws IOException {
    recording.clear();
    OramConfig config = modelled.config();
    Random sizes = new Random(8);
    Random places = new Random(placesSeed);
    for (int i = 0; i < ACCESSES; i++) {
      int count = 1 + sizes.nextInt(config.maxRangeBlocks());
      long block = places.nextLong(config.blocks() - count + 1);
      ByteBuffer bytes = ByteBuffer.wrap(Batches.noise(count * config.blockBytes(), placesSeed));
      switch (way) {
        case READ -> modelled.oram().read(block, count);
        case WRITE -> modelled.oram().write(block, bytes);
        case UPDATE ->
            modelled.oram().update(block * config.blockBytes() + 1, bytes.limit(bytes.limit() - 1));
      }
    }
    return recording.requests();
  }

  /** Returns the requests that are not of a phase. */
  static List<Request> without(IoPhase phase, List<Request> requests) {
    return requests.stream().filter(request -> request.phase() != phase).toList();
  }

  /** Returns what an observer sees who does not see reads. */
  static List<Request> writesOf(List<Request> requests) {
    return requests.stream()
        .filter(request -> request.operation() != RecordingStore.Operation.READ)
        .toList();
  }

  /**
   * Returns everything about requests except places, and except sizes where random paths may meet.
   */
  static List<String> shapes(List<Request> requests, boolean writesWhatWasRead) {
    return requests.stream().map(request -> shape(request, writesWhatWasRead)).toList();
  }

  private static String shape(Request request, boolean writesWhatWasRead) {
    boolean meets =
        request.phase() == IoPhase.READ
            || (writesWhatWasRead && request.phase() == IoPhase.EVICT_WRITE);
    String size = meets ? "any" : String.valueOf(request.bytes());
    return String.join(
        " ",
        request.operation().name(),
        request.phase().name(),
        String.valueOf(request.tree()),
        String.valueOf(request.unitBytes()),
        size);
  }
}
