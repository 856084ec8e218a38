package io.github.roram.simulation;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A vault that a life uses, as {@link LiveStore} is a store. */
final class LiveVault extends FilterClientVault {

  private final World world;
  private final Life life;
  private final Medium medium;

  LiveVault(ClientVault delegate, World world, Life life, Medium medium) {
    super(delegate);
    this.world = world;
    this.life = life;
    this.medium = medium;
  }

  private void beforeRead() throws IOException {
    life.spend(medium.latency());
    medium.beforeRead();
  }

  /** Something that is changed. */
  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  private void change(String what, boolean takesRoom, Change change) throws IOException {
    life.spend(medium.latency() / 2);
    world.note(what.hashCode());
    world.tell(() -> "vault " + what);
    medium.beforeChange(medium.vaultDisk(), takesRoom);
    change.make();
    life.spend(medium.latency() / 2);
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    beforeRead();
    return super.load(name);
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    change(name, true, () -> super.save(name, writer));
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    life.spend(medium.latency());
    return new LiveLog(name, super.openLog(name));
  }

  @Override
  public List<String> logs() throws IOException {
    beforeRead();
    return super.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    change("delete " + name, false, () -> super.deleteLog(name));
  }

  private final class LiveLog extends FilterAppendLog {

    private final String name;

    LiveLog(String name, AppendLog delegate) {
      super(delegate);
      this.name = name;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      change("append " + name, true, () -> super.append(bytes));
    }

    @Override
    public void sync() throws IOException {
      change("sync " + name, false, super::sync);
    }

    @Override
    public InputStream read() throws IOException {
      beforeRead();
      return super.read();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      change("truncate " + name, false, () -> super.truncate(bytes));
    }
  }
}
