package io.github.roram.object;

import io.github.roram.crypto.SystemRandom;
import io.github.roram.object.VaultSlot.Entry;
import io.github.roram.object.VaultSlot.Kind;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreLockedException;
import io.github.roram.threads.OwnedThreads;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's records in an engine that keeps objects: a log of slots, {@code log/n}, each created
 * once. Whoever creates slot n has decided what comes n-th, so a slot is append, fence and lease in
 * one. Records longer than {@value #INLINE_BYTES} bytes are objects of their own, which a slot
 * names.
 *
 * <p>One slot at a time is under way; all that waits meanwhile goes with the next. A slot whose
 * answer was lost is offered again, the same bytes, before anything else is done: it is ours, or
 * another's. If it is another's, this client is done for: every later call throws {@link
 * VaultTakenException}. So a client that was replaced can record nothing, and acknowledges no
 * access of which something must be durable first. Safety rests on {@link ObjectSpace#createOnce}
 * alone; a clock only says when it is polite to take over.
 *
 * <p>Slots that nobody needs are deleted, but for those by which the vault was taken: the client
 * that was replaced tries to create just that one, whenever it comes to it. And who took the vault
 * looks whether there is a later slot, since it may have tried one that was deleted.
 *
 * <p>What is appended to a log is lost with the process unless it was synced: {@link
 * #keepsAppends}.
 *
 * <h2>Security</h2>
 *
 * An observer sees when slots come and how long they are, and names of records, logs and clients;
 * contents come sealed. It sees no more than one of a vault in files.
 */
public final class ObjectVault implements ClientVault, Closeable {

  private static final Logger LOGGER = LoggerFactory.getLogger(ObjectVault.class);

  /** What names of slots begin with. */
  static final String SLOTS = "log/";

  static final NumberedNames SLOT_NAMES = new NumberedNames(SLOTS);

  private static final String RECORDS = "rec/";
  private static final String REQUESTS = "roram-vault-objects";
  private static final int INLINE_BYTES = 1 << 16;
  private static final int RANDOM_BYTES = 16;
  private static final int HEX = 16;
  private static final int NUMBER_CHARS = 16;

  private static final Pattern LARGE_NAMES =
      Pattern.compile(RECORDS + "[0-9a-f]{16}/[a-z0-9-]+/[a-z0-9-]+");

  private final ObjectSpace objects;
  private final OwnedThreads threads;
  private final ObjectRequests requests;
  private final Executor background;
  private final UUID id;
  private final long tenure;

  /** Whether it was taken, and not only looked at. */
  private final boolean isHeld;

  /** What all durable slots say; guards itself, the queue and whether this is ended. */
  private final VaultView view;

  /** Entries that are in no slot yet, and how many there ever were. */
  private final Deque<Entry> queue = new ArrayDeque<>();

  private long queued;

  /** Held while a slot is put; guards what follows. */
  private final Object putting = new Object();

  private long next;
  private long deletedBefore;

  /** How many queued entries are durable. */
  private long done;

  /** A slot whose outcome is not known. */
  private @Nullable Offered offered;

  /** The slot that was next at the last beat; of the thread that beats. */
  private long beaten = -1;

  private volatile @Nullable String taken;
  private volatile boolean closed;

  /** Whether it is closed, or about to be. */
  private boolean ended;

  /** A slot as it was offered to the engine, with so many entries of the queue. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Offered(VaultSlot slot, byte[] bytes, int entries) {}

  /**
   * How patient an opener is, and how busy a holder.
   *
   * @param takeOver whether to take the vault from a client that holds it, and not to wait
   * @param standBy whether to wait, for however long, until the client that holds it is gone
   * @param waitMillis how long one that was not released must be still before it is taken; a holder
   *     without anything else to record says that it is there three times as often; 0 for never
   */
  public record Tenancy(boolean takeOver, boolean standBy, long waitMillis) {

    /** Waits for as long as is usual. */
    public static final Tenancy POLITE = new Tenancy(false, 15_000);

    /** One that takes over, or is refused. */
    public Tenancy(boolean takeOver, long waitMillis) {
      this(takeOver, false, waitMillis);
    }
  }

  private ObjectVault(
      ObjectSpace objects,
      OwnedThreads threads,
      ObjectRequests requests,
      VaultSlot take,
      VaultView view,
      long waitMillis,
      boolean isHeld) {
    this.objects = objects;
    this.threads = threads;
    this.requests = requests;
    this.view = view;
    this.isHeld = isHeld;
    background = threads.serial("roram-vault-deleting");
    id = take.vault();
    tenure = take.number();
    next = tenure + 1;
    deletedBefore = take.first();
    if (waitMillis > 0) {
      threads.repeat("roram-vault", waitMillis / 3, this::beat);
    }
  }

  /** Whether there is a vault in these objects. */
  public static boolean isIn(ObjectSpace objects) throws IOException {
    return !objects.list(SLOTS, "").isEmpty();
  }

  /**
   * Makes an empty vault in these objects, and takes it.
   *
   * @throws IOException also if there is one
   */
  public static void create(ObjectSpace objects) throws IOException {
    Entry release = new Entry(Kind.RELEASE, "");
    VaultSlot slot = new VaultSlot(randomId(), 0, 0, 0, List.of(release));
    if (!objects.createOnce(slotName(0), ByteBuffer.wrap(slot.encode(random())))) {
      throw new IOException(objects + " has a client's records already");
    }
  }

  /** Deletes a vault that nobody has open. */
  public static void delete(ObjectSpace objects) throws IOException {
    objects.deleteAll(RECORDS);
    objects.deleteAll(SLOTS);
  }

  /**
   * Takes a vault, which from then on is this client's alone.
   *
   * @param objects closed with it; still open if this throws
   * @param holder who takes it, for messages of others: 100 characters at most
   * @throws StoreLockedException if another client has it; nothing was changed
   * @throws IOException if the engine fails; what was taken is given back, if that can be
   * @throws io.github.roram.IntegrityException if a slot is missing or damaged
   */
  public static ObjectVault open(ObjectSpace objects, String holder, Tenancy tenancy)
      throws IOException {
    return open(objects, holder, tenancy, new OwnedThreads());
  }

  /** As above, with threads that are ended with it, for simulations. */
  public static ObjectVault open(
      ObjectSpace objects, String holder, Tenancy tenancy, OwnedThreads threads)
      throws IOException {
    ObjectRequests requests = ObjectRequests.to(objects, threads, REQUESTS);
    VaultTaking taking = new VaultTaking(objects, requests, holder, threads);
    return OnFailure.close(
        () -> {
          taking.giveBack();
          threads.end();
        },
        () -> {
          VaultSlot take = taking.take(taking.newestSlots(), tenancy);
          VaultView view = taking.viewUntil(take);
          ObjectVault vault =
              new ObjectVault(objects, threads, requests, take, view, tenancy.waitMillis, true);
          vault.background.execute(() -> vault.deleteOrphans(take.first()));
          return vault;
        });
  }

  /**
   * What a vault says now, for whoever does not take it: changes of it are refused. A client that
   * has it goes on, and after a while deletes what this is of.
   *
   * @param objects closed with it
   */
  public static ObjectVault look(ObjectSpace objects) throws IOException {
    OwnedThreads threads = new OwnedThreads();
    ObjectRequests requests = ObjectRequests.to(objects, threads, REQUESTS);
    VaultTaking taking = new VaultTaking(objects, requests, "", threads);
    return OnFailure.close(
        threads::end,
        () -> {
          VaultSlot newest = taking.newest(taking.newestSlots());
          VaultView view = taking.viewUntil(newest);
          return new ObjectVault(objects, threads, requests, newest, view, 0, false);
        });
  }

  static String slotName(long number) {
    return SLOT_NAMES.name(number);
  }

  /** What tells a slot from all others for its number. */
  static byte[] random() {
    byte[] random = new byte[RANDOM_BYTES];
    SystemRandom.fill(random);
    return random;
  }

  private static UUID randomId() {
    ByteBuffer random = ByteBuffer.wrap(random());
    return new UUID(random.getLong(), random.getLong());
  }

  private void check() throws IOException {
    String by = taken;
    if (by != null) {
      throw new VaultTakenException(by);
    }
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  private void checkHeld() throws IOException {
    check();
    if (!isHeld) {
      throw new IOException("the client's records in " + objects + " are looked at only");
    }
  }

  /** What is appended, and not synced, is in this process alone. */
  @Override
  public boolean keepsAppends() {
    return false;
  }

  /** Queues an entry, and returns what is to be awaited for it to be durable. */
  private long queue(Entry entry) throws IOException {
    checkHeld();
    synchronized (view) {
      queue.add(entry);
      return ++queued;
    }
  }

  /** Returns once so many queued entries are durable. */
  private void await(long entries) throws IOException {
    synchronized (putting) {
      while (done < entries) {
        check();
        put();
      }
    }
  }

  private void put() throws IOException {
    Offered slot = offered != null ? offered : nextSlot();
    offered = slot;
    if (!objects.createOnce(slotName(next), ByteBuffer.wrap(slot.bytes))) {
      taken =
          "the client's records in "
              + objects
              + " were taken over by another client, at slot "
              + next
              + "; open the store anew, once that has closed it";
      throw new VaultTakenException(taken);
    }
    offered = null;
    List<String> replaced;
    synchronized (view) {
      replaced = view.add(slot.slot);
    }
    next++;
    done += slot.entries;
    discard(slot.slot.first(), replaced);
  }

  private Offered nextSlot() {
    synchronized (view) {
      List<Entry> entries = new ArrayList<>(view.carried(next));
      int carried = entries.size();
      int room = VaultSlot.ENTRY_BYTES - entries.stream().mapToInt(Entry::slotBytes).sum();
      while (!queue.isEmpty() && queue.element().slotBytes() <= room) {
        room -= queue.element().slotBytes();
        entries.add(queue.remove());
      }
      VaultSlot slot = new VaultSlot(id, next, view.first(next), tenure, entries);
      return new Offered(slot, slot.encode(random()), entries.size() - carried);
    }
  }

  /** Deletes what a durable slot says is not needed. */
  private void discard(long first, List<String> replaced) {
    List<String> slots = new ArrayList<>();
    synchronized (view) {
      for (; deletedBefore < first; deletedBefore++) {
        if (!view.isTake(deletedBefore)) {
          slots.add(slotName(deletedBefore));
        }
      }
    }
    if (!slots.isEmpty() || !replaced.isEmpty()) {
      background.execute(() -> delete(slots, replaced));
    }
  }

  private void delete(List<String> names, List<String> large) {
    try {
      objects.delete(names);
      for (String prefix : large) {
        objects.deleteAll(prefix + "/");
      }
    } catch (IOException e) {
      LOGGER.warn("old records could not all be deleted: {}", e.toString());
    }
  }

  /**
   * Deletes slots that another client did not come to delete, and pieces of large records that
   * nothing refers to. Those of this client and of later ones are left alone, since this may be one
   * that was replaced.
   *
   * @param first the lowest slot that is needed; older ones are not, but for those by which the
   *     vault was taken
   */
  private void deleteOrphans(long first) {
    try {
      objects.forEachAnswer(
          SLOTS, "", names -> deleteNeedless(names.stream().filter(isBefore(first)).toList()));
      List<String> kept;
      synchronized (view) {
        kept = view.large();
      }
      objects.deleteAll(RECORDS, name -> isOrphan(name, kept));
    } catch (IOException e) {
      LOGGER.warn("records could not be listed; the next opening does it: {}", e.toString());
    }
  }

  private static Predicate<String> isBefore(long slot) {
    return name -> SLOT_NAMES.has(name) && SLOT_NAMES.number(name) < slot;
  }

  private void deleteNeedless(List<String> older) throws IOException {
    List<String> needless = new ArrayList<>();
    requests.inOrder(
        older,
        VaultSlot.HEADER_BYTES,
        name -> name,
        name -> VaultSlot.isTake(objects, name),
        (name, isTake) -> {
          if (!isTake) {
            needless.add(name);
          }
        });
    if (!needless.isEmpty()) {
      objects.delete(needless);
    }
  }

  private boolean isOrphan(String name, List<String> kept) {
    if (!LARGE_NAMES.matcher(name).matches()) {
      return false; // no client's
    }
    String large = name.substring(0, name.lastIndexOf('/'));
    String by = name.substring(RECORDS.length(), RECORDS.length() + NUMBER_CHARS);
    return Long.parseUnsignedLong(by, HEX) < tenure && !kept.contains(large);
  }

  /** Says, if nothing was recorded for a while, that this client is there; false if it is not. */
  private boolean beat() {
    try {
      long now;
      synchronized (putting) {
        now = next;
      }
      if (now == beaten && beatNow()) {
        now++;
      }
      beaten = now;
    } catch (IOException e) {
      LOGGER.warn("could not say that this client holds its records: {}", e.toString());
    }
    return taken == null;
  }

  @Override
  public void confirm(boolean asks) throws IOException {
    check();
    if (asks) {
      beatNow();
    }
  }

  /** Not once it is released: the next client would wait. */
  private boolean beatNow() throws IOException {
    long beat;
    synchronized (view) {
      if (ended) {
        return false;
      }
      beat = queue(new Entry(Kind.BEAT, ""));
    }
    await(beat);
    return true;
  }

  /** A slot whose outcome is not known may say what is asked for: it is offered again first. */
  private void settle() throws IOException {
    check();
    synchronized (putting) {
      if (offered != null) {
        put();
      }
    }
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    settle();
    checkName(name, VaultSlot.RECORD_NAME, "record");
    Entry entry;
    synchronized (view) {
      entry = view.record(name);
    }
    if (entry == null) {
      return Optional.empty();
    }
    return Optional.of(
        entry.kind() == Kind.SAVE
            ? new ByteArrayInputStream(entry.bytes())
            : new ObjectParts(objects, requests, VaultView.pieces(entry)));
  }

  @Override
  public List<String> names() throws IOException {
    settle();
    synchronized (view) {
      return view.records();
    }
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    checkHeld();
    checkName(name, VaultSlot.RECORD_NAME, "record");
    Pieces pieces = new Pieces(name);
    writer.writeTo(pieces);
    await(queue(pieces.entry()));
  }

  private static void checkName(String name, String form, String what) {
    if (!name.matches(form)) {
      throw new IllegalArgumentException(what + " name is \"" + name + "\", must match " + form);
    }
  }

  /** Takes a record in: as bytes, or as objects once there are many. */
  private final class Pieces extends OutputStream {
    private final String record;
    private final String large;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private long written;
    private int pieces;

    Pieces(String record) {
      this.record = record;
      large = String.format(Locale.ROOT, RECORDS + "%016x/%s-%s", tenure, record, randomId());
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      int from = offset;
      while (from < offset + count) {
        int part = Math.min(offset + count - from, VaultView.PIECE_BYTES - held.size());
        held.write(bytes, from, part);
        from += part;
        if (held.size() == VaultView.PIECE_BYTES) {
          put();
        }
      }
    }

    private void put() throws IOException {
      String name = VaultView.pieceName(large, pieces);
      objects.put(name, ByteBuffer.wrap(held.toByteArray()));
      written += held.size();
      pieces++;
      held.reset();
    }

    Entry entry() throws IOException {
      if (pieces == 0 && held.size() <= INLINE_BYTES) {
        return new Entry(Kind.SAVE, record, held.toByteArray());
      }
      if (held.size() > 0) {
        put();
      }
      return VaultView.large(record, large, written);
    }
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    check();
    checkName(name, VaultSlot.LOG_NAME, "log");
    if (!logs().contains(name)) {
      await(queue(new Entry(Kind.LOG, name)));
    }
    return new SlotLog(name);
  }

  @Override
  public List<String> logs() throws IOException {
    settle();
    synchronized (view) {
      return view.logs();
    }
  }

  @Override
  public void deleteLog(String name) throws IOException {
    checkName(name, VaultSlot.LOG_NAME, "log");
    if (logs().contains(name)) {
      await(queue(new Entry(Kind.DROP, name)));
    }
  }

  /** Lets the next client have it without waiting; nothing if another has taken it. */
  @Override
  public void close() throws IOException {
    synchronized (view) {
      if (ended) {
        return;
      }
      ended = true;
    }
    try {
      if (isHeld) {
        await(queue(new Entry(Kind.RELEASE, "")));
      }
    } catch (IOException e) {
      LOGGER.warn("the client's records were not released: {}", e.toString());
    }
    closed = true;
    try (objects) {
      threads.end();
    }
  }

  @Override
  public String toString() {
    return "records in " + objects;
  }

  /** A log, whose bytes wait in the queue until they are synced, or go with something else. */
  private final class SlotLog implements AppendLog {
    private final String name;
    private final int mostBytes;

    SlotLog(String name) {
      this.name = name;
      mostBytes = VaultSlot.ENTRY_BYTES / 2 - Entry.headerBytes(name);
    }

    /** All that was appended is durable first. */
    @Override
    public long bytes() throws IOException {
      sync();
      synchronized (view) {
        return view.bytes(name);
      }
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      check();
      while (bytes.hasRemaining()) {
        byte[] part = new byte[Math.min(mostBytes, bytes.remaining())];
        bytes.get(part);
        queue(new Entry(Kind.APPEND, name, part));
      }
    }

    @Override
    public void sync() throws IOException {
      check();
      long all;
      synchronized (view) {
        all = queued;
      }
      await(all);
    }

    @Override
    public InputStream read() throws IOException {
      sync();
      synchronized (view) {
        return new ObjectParts(objects, requests, view.parts(name));
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      byte[] length = ByteBuffer.allocate(Long.BYTES).putLong(bytes).array();
      await(queue(new Entry(Kind.CUT, name, length)));
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "log " + name + " of " + ObjectVault.this;
    }
  }
}
