package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/** One store of {@link OramContract}: it fails on demand, and what it sees is written down. */
final class ContractMedium implements OramMedium {

  private final FaultyStore faults;
  private final RecordingStore recording;
  private final ClientVault vault = ClientVault.inMemory();

  ContractMedium(BlockStore plain) {
    faults = new FaultyStore(plain);
    recording = new RecordingStore(faults);
  }

  FaultyStore faults() {
    return faults;
  }

  RecordingStore recording() {
    return recording;
  }

  /** Returns the number of requests of a kind since the record was cleared. */
  long calls(Operation operation) {
    return recording.requests().stream().filter(r -> r.operation() == operation).count();
  }

  /** Flips a bit of every bucket that the last write wrote; a second time undoes it. */
  void flipLastWrite() throws IOException {
    Request last = null;
    for (Request request : recording.requests()) {
      if (isOfBuckets(request)) {
        last = request;
      }
    }
    if (last == null) {
      throw new IllegalStateException("nothing was written to the store but META");
    }
    flip(last, new LinkedHashSet<>());
  }

  /** Flips a bit of every bucket that was written so far; a second time undoes it. */
  void flipAllWrites() throws IOException {
    Set<Long> flipped = new LinkedHashSet<>();
    for (Request request : recording.requests()) {
      if (isOfBuckets(request)) {
        flip(request, flipped);
      }
    }
    if (flipped.isEmpty()) {
      throw new IllegalStateException("nothing was written to the store but META");
    }
  }

  private static boolean isOfBuckets(Request request) {
    return request.operation() == Operation.WRITE && request.phase() != IoPhase.META;
  }

  private void flip(Request request, Set<Long> flipped) throws IOException {
    for (Extent extent : request.extents()) {
      for (long unit = extent.offset(); unit < extent.end(); unit += request.unitBytes()) {
        if (flipped.add(unit)) {
          faults.flipBit(unit + request.unitBytes() / 2, 3);
        }
      }
    }
  }

  @Override
  public BlockStore store() {
    return recording;
  }

  @Override
  public ClientVault vault() {
    return vault;
  }

  @Override
  public void reopen() {}

  @Override
  public void close() throws IOException {
    faults.close();
  }
}
