package io.github.roram.storage.view;

import io.github.roram.OramConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the sights of all recorders of one run, and keeps logical time.
 *
 * <p>Logical time is the number of accesses that were declared, by {@link #access}: the recorder
 * does not know when accesses begin, {@link RecordedOram} tells it. If several threads make
 * accesses at once, all sights belong to the access declared last.
 *
 * <p>Thread safety: safe.
 */
public final class ViewRecorder {

  private final Consumer<Sight> sink;
  private final @Nullable List<Sight> kept;
  private boolean paused;
  private long access;
  private long requests;
  private int connections;
  private @Nullable Thread accessing;

  /** Keeps sights in memory, for {@link #view}. */
  public ViewRecorder() {
    List<Sight> sights = new ArrayList<>();
    kept = sights;
    sink = sights::add;
  }

  /**
   * Passes sights to {@code sink}, one at a time, in order.
   *
   * @param sink receives sights; it must return soon, since accesses wait for it, and must not
   *     throw
   */
  public ViewRecorder(Consumer<Sight> sink) {
    this.sink = sink;
    kept = null;
  }

  /**
   * Declares that an access begins, on this thread.
   *
   * @param blocks number of blocks of its size class, or of the access if the scheme has no classes
   */
  public synchronized void access(int blocks) {
    accessing = Thread.currentThread();
    access++;
    see(Observer.DECLARED, Action.ACCESS, blocks);
  }

  /** Declares that the client is killed, or its machine loses power. */
  public synchronized void crash() {
    see(Observer.DECLARED, Action.CRASH, 0);
  }

  /** Declares that a bulk load of {@code bytes} bytes begins, on this thread. */
  public synchronized void bulkLoad(long bytes) {
    accessing = Thread.currentThread();
    see(Observer.DECLARED, Action.BULK_LOAD, bytes);
  }

  /** Declares that a scan begins, on this thread. */
  public synchronized void scan() {
    accessing = Thread.currentThread();
    see(Observer.DECLARED, Action.SCAN, 0);
  }

  /** Declares that the store is to grow to {@code blocks} blocks, on this thread. */
  public synchronized void grow(long blocks) {
    accessing = Thread.currentThread();
    see(Observer.DECLARED, Action.GROW, blocks);
  }

  /** Returns the number of accesses declared so far. */
  public synchronized long accesses() {
    return access;
  }

  /** Records only sights at places of backups until {@link #resume}; accesses are still counted. */
  public synchronized void pause() {
    paused = true;
  }

  /** Records all sights again. */
  public synchronized void resume() {
    paused = false;
  }

  /**
   * Returns all sights so far.
   *
   * @throws IllegalStateException if sights are passed on and not kept
   */
  public synchronized View view(OramConfig config) {
    if (kept == null) {
      throw new IllegalStateException("what is seen is handed on, and not kept");
    }
    return new View(config, kept);
  }

  /** Returns whether another thread than that of the last access calls. */
  private boolean isBeside() {
    return accessing != null && accessing != Thread.currentThread();
  }

  /** Returns the number of the next request to the store; 0 while paused, when nobody sees it. */
  synchronized long newRequest() {
    return paused ? 0 : ++requests;
  }

  public synchronized int newConnection() {
    return ++connections;
  }

  private void see(Observer observer, Action action, long bytes) {
    see(new Sight(access, observer, action, 0, "", 0, bytes));
  }

  synchronized void store(Action action, long request, long offset, long bytes) {
    see(new Sight(access, Observer.STORE, action, request, "", offset, bytes));
  }

  synchronized void watermark(int bytes) {
    store(Action.WATERMARK, isBeside() ? 1 : 0, 0, bytes);
  }

  synchronized void vault(Action action, String name, long bytes) {
    vaultSince(access, action, name, bytes);
  }

  /** Records a change of the vault that began when {@code began} accesses had been declared. */
  synchronized void vaultSince(long began, Action action, String name, long bytes) {
    see(new Sight(began, Observer.VAULT, action, isBeside() ? 1 : 0, name, 0, bytes));
  }

  /** Records a request to a keeper of objects: {@link Observer#BACKUP} or ENGINE. */
  synchronized void object(Observer observer, Action action, String name, long offset, long bytes) {
    if (observer == Observer.BACKUP) {
      sink.accept(new Sight(access, observer, action, 0, name, 0, bytes));
    } else {
      see(new Sight(access, observer, action, requests, name, offset, bytes));
    }
  }

  public synchronized void line(Action action, int connection, long bytes) {
    see(new Sight(access, Observer.NETWORK, action, connection, "", 0, bytes));
  }

  private void see(Sight sight) {
    if (!paused) {
      sink.accept(sight);
    }
  }
}
