package io.github.roram.auditor.workload;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A vault as a client has it who may die. */
final class MortalVault implements ClientVault {

  private final ClientVault delegate;
  private final Lifeline life;

  MortalVault(ClientVault delegate, Lifeline life) {
    this.delegate = delegate;
    this.life = life;
  }

  /** A call of the client. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  /** A call that returns something. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws IOException;
  }

  private void alive(Call call) throws IOException {
    if (life.enter()) {
      try {
        call.run();
      } finally {
        life.leave();
      }
    }
  }

  private <T> T alive(Question<T> question, T otherwise) throws IOException {
    if (!life.enter()) {
      return otherwise;
    }
    try {
      return question.ask();
    } finally {
      life.leave();
    }
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    return alive(() -> delegate.load(name), Optional.empty());
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    alive(() -> delegate.save(name, writer));
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    if (!life.enter()) {
      throw new Lifeline.Dead();
    }
    try {
      return new MortalLog(delegate.openLog(name));
    } finally {
      life.leave();
    }
  }

  @Override
  public List<String> logs() throws IOException {
    return alive(delegate::logs, List.of());
  }

  @Override
  public void deleteLog(String name) throws IOException {
    alive(() -> delegate.deleteLog(name));
  }

  private final class MortalLog implements AppendLog {
    private final AppendLog log;

    MortalLog(AppendLog log) {
      this.log = log;
    }

    @Override
    public long bytes() throws IOException {
      return alive(log::bytes, 0L);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      alive(() -> log.append(bytes));
    }

    @Override
    public void sync() throws IOException {
      alive(log::sync);
    }

    @Override
    public InputStream read() throws IOException {
      return alive(log::read, InputStream.nullInputStream());
    }

    @Override
    public void truncate(long bytes) throws IOException {
      alive(() -> log.truncate(bytes));
    }

    @Override
    public void close() throws IOException {
      alive(log::close);
    }
  }
}
