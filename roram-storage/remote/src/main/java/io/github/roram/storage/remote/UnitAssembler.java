package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of a batch, however they are cut, into pieces of whole units of one extent. Units
 * that arrive in one part are handed on where they are; only those that straddle parts are copied.
 * Survives a retry: what a sink has got it does not get again.
 */
final class UnitAssembler {

  private final ExtentBatch batch;
  private final UnitSink sink;
  private final int unitBytes;
  private @Nullable ByteBuffer straddling;
  private int delivered;
  private int unit;
  private int extent;

  UnitAssembler(ExtentBatch batch, UnitSink sink) {
    this.batch = batch;
    this.sink = sink;
    unitBytes = batch.unitBytes();
  }

  /** An answer begins, perhaps not the first. */
  void restart() {
    unit = 0;
    extent = 0;
    if (straddling != null) {
      straddling.clear();
    }
  }

  /** Takes the next bytes. */
  void feed(ByteBuffer part) throws IOException {
    ByteBuffer partial = straddling;
    if (partial != null && partial.position() > 0) {
      fill(partial, part);
    }
    while (part.remaining() >= unitBytes) {
      int units = Math.min(part.remaining() / unitBytes, unitsLeftInExtent());
      ByteBuffer piece = part.slice(part.position(), units * unitBytes);
      part.position(part.position() + units * unitBytes);
      deliver(piece, units);
    }
    if (part.hasRemaining()) {
      unitsLeftInExtent();
      if (partial == null) {
        partial = ByteBuffer.allocate(unitBytes);
        straddling = partial;
      }
      fill(partial, part);
    }
  }

  /** Throws unless all units have arrived. */
  void finish() throws ProtocolException {
    boolean partial = straddling != null && straddling.position() > 0;
    if (unit != batch.units() || partial) {
      throw new ProtocolException("answer ends after " + unit + " of " + batch.units() + " units");
    }
  }

  private void fill(ByteBuffer partial, ByteBuffer part) throws IOException {
    int bytes = Math.min(partial.remaining(), part.remaining());
    partial.put(part.slice(part.position(), bytes));
    part.position(part.position() + bytes);
    if (!partial.hasRemaining()) {
      unitsLeftInExtent();
      partial.clear();
      deliver(partial.slice(), 1);
    }
  }

  /** Passes on what the sink has not had. */
  private void deliver(ByteBuffer piece, int units) throws IOException {
    int first = unit;
    unit += units;
    int skip = Math.min(units, Math.max(0, delivered - first));
    if (skip < units) {
      ByteBuffer rest = piece.slice(skip * unitBytes, (units - skip) * unitBytes);
      sink.accept(first + skip, rest);
      delivered = unit;
    }
  }

  private int unitsLeftInExtent() throws ProtocolException {
    while (extent < batch.extents() && unit >= batch.firstUnit(extent) + batch.units(extent)) {
      extent++;
    }
    if (extent == batch.extents()) {
      throw new ProtocolException("answer is longer than its " + batch.units() + " units");
    }
    return batch.firstUnit(extent) + batch.units(extent) - unit;
  }
}
