package io.github.roram.auditor.workload;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * A store in the hands of an adversary who follows a {@link Provocation}. It counts requests as who
 * records them does, so that its numbers are those of the view. For one thread.
 */
public final class ActiveStore extends FilterBlockStore {

  private final Provocation rule;
  private final Set<Long> failed = new HashSet<>();
  private long requests;

  ActiveStore(BlockStore delegate, Provocation rule) {
    super(delegate);
    this.rule = rule;
  }

  /** Numbers of the requests that failed, all requests counted from 1. */
  Set<Long> failed() {
    return failed;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    requests++;
    Provocation.Answer answer = rule.next(false);
    check(answer);
    delegate.read(batch, answer == Provocation.Answer.TAMPERED ? tampered(sink) : sink);
  }

  /** Hands on what was read, changed. */
  public static UnitSink tampered(UnitSink sink) {
    return (unit, bytes) -> {
      ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
      copy.put(0, (byte) ~copy.get(0));
      sink.accept(unit, copy);
    };
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    requests++;
    check(rule.next(true));
    delegate.write(batch, source);
  }

  @Override
  public void sync() throws IOException {
    requests++;
    delegate.sync();
  }

  private void check(Provocation.Answer answer) throws IOException {
    if (answer == Provocation.Answer.FAILED) {
      failed.add(requests);
      throw new IOException("the store fails request " + requests);
    }
  }
}
