package io.github.roram.simulation;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store that a life uses: requests take their time, may fail, and end with the life. */
final class LiveStore extends FilterBlockStore {

  private final World world;
  private final Life life;
  private final Medium medium;

  /** Of the store's machine, when it was opened. */
  private final long power;

  LiveStore(BlockStore delegate, World world, Life life, Medium medium) {
    super(delegate);
    this.world = world;
    this.life = life;
    this.medium = medium;
    power = medium.storePower();
  }

  /** Before a request is sent: a store that lost its power may have lost what was written. */
  private void send() throws IOException {
    if (power != medium.storePower()) {
      throw new IOException("injected: the store was started again");
    }
    medium.onTheLine();
  }

  private void noted(String what, ExtentBatch batch) {
    world.tell(() -> "store " + what + " " + batch);
    world.note(what.hashCode() + 31L * batch.extents() + batch.bytes());
    for (int i = 0; i < batch.extents(); i++) {
      world.note(batch.offset(i));
    }
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    life.spend(medium.latency());
    readNow(batch, sink);
  }

  private void readNow(ExtentBatch batch, UnitSink sink) throws IOException {
    noted("read", batch);
    send();
    medium.beforeRead();
    super.read(batch, sink);
    medium.onTheLine();
  }

  /** A server does. */
  @Override
  public boolean computesXor() {
    return medium.isApart();
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    life.spend(medium.latency() / 2);
    writeNow(batch, source);
    life.spend(medium.latency() / 2);
  }

  private void writeNow(ExtentBatch batch, UnitSource source) throws IOException {
    noted("write", batch);
    send();
    medium.beforeChange(medium.storeDisk(), true);
    super.write(batch, source);
    medium.onTheLine();
  }

  @Override
  public void sync() throws IOException {
    life.spend(medium.latency());
    syncNow();
    life.spend(medium.latency());
  }

  private void syncNow() throws IOException {
    world.note(1);
    world.tell(() -> "store sync");
    send();
    medium.beforeChange(medium.storeDisk(), false);
    super.sync();
    medium.onTheLine();
  }

  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    life.spend(medium.latency() / 2);
    send();
    medium.beforeChange(medium.storeDisk(), false);
    super.keepWatermark(watermark, durably);
    life.spend(medium.latency() / 2);
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    life.spend(medium.latency());
    send();
    medium.beforeRead();
    return super.watermarks();
  }

  @Override
  public AsyncBlockStore async(int requests) {
    Requests pool = new Requests(world, life, medium, requests);
    return new AsyncBlockStore() {
      @Override
      public long capacityBytes() {
        return LiveStore.this.capacityBytes();
      }

      @Override
      public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
        return pool.add(() -> readNow(batch, sink), false);
      }

      @Override
      public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
        return pool.add(() -> writeNow(batch, source), true);
      }

      @Override
      public CompletableFuture<Void> sync() {
        return pool.add(LiveStore.this::syncNow, false);
      }

      @Override
      public void close() {
        pool.close();
      }
    };
  }
}
