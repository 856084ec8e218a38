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
import java.io.FilterInputStream;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's records in an engine that keeps objects: a log of slots, {@code log/n}, each created
 * once. The client that creates slot n has decided the n-th entry, so a slot is append, fence and
 * lease in one. Records longer than {@value #INLINE_BYTES} bytes are separate objects, which a slot
 * names; so are logs once many slots after them have done nothing but renew the lease, which are
 * then needed no longer.
 *
 * <p>One slot at a time is in flight; all entries that wait meanwhile go into the next. If the
 * answer for a slot was lost, the client offers the same bytes again before it does anything else,
 * to learn whose the slot is. If it is another client's, this client has been replaced: every later
 * call throws {@link VaultTakenException}. So a replaced client can record nothing, and
 * acknowledges no access that must be durable first. Safety rests on {@link ObjectSpace#createOnce}
 * alone; a clock only says when it is polite to take over.
 *
 * <p>Slots that are no longer needed are deleted, except those by which the vault was taken from a
 * client that had not released it: sooner or later that one tries to create exactly that slot.
 * After a release a client creates none. A client that has taken the vault checks for later slots,
 * since its own number may be that of a deleted slot.
 *
 * <p>Bytes appended to a log are lost with the process unless they were synced: {@link
 * #keepsAppends}.
 *
 * <h2>Security</h2>
 *
 * An observer sees the times and lengths of slots, and the names of records, logs and clients;
 * contents are sealed. It sees no more than an observer of a vault in files.
 */
public final class ObjectVault implements ClientVault, Closeable {

  private static final Logger LOGGER = LoggerFactory.getLogger(ObjectVault.class);

  /** Prefix of the names of slots. */
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

  /** Whether this client has taken the vault, and does not only look at it. */
  private final boolean isHeld;

  /** The content of all durable slots; guards itself, the queue and {@link #ended}. */
  private final VaultView view;

  /** Entries that are not in a slot yet. */
  private final Deque<Entry> queue = new ArrayDeque<>();

  private long queued;

  /** Streams of logs that are being read: what they need is deleted when none is. */
  private int reading;

  /** Prefixes of objects to be deleted then. */
  private final List<String> needless = new ArrayList<>();

  /** Held while a slot is being put; guards the fields below. */
  private final Object putting = new Object();

  private long next;
  private long deletedBefore;

  /** Number of queued entries that are durable. */
  private long done;

  /** A slot whose outcome is unknown, or null. */
  private @Nullable Offered offered;

  /** The number of the next slot at the last beat; used by the beating thread alone. */
  private long beaten = -1;

  private volatile @Nullable String taken;
  private volatile boolean closed;

  /** Whether this is closed, or about to be. */
  private boolean ended;

  /** A slot as it was offered to the engine, and the number of queued entries in it. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Offered(VaultSlot slot, byte[] bytes, int entries) {}

  /**
   * How long an opener waits, and how often a holder reports that it is alive.
   *
   * @param takeOver whether to take the vault at once from a client that holds it
   * @param standBy whether to wait, without limit, until the client that holds it is gone
   * @param waitMillis milliseconds without a new slot after which a vault that was not released may
   *     be taken; an idle holder writes a slot three times in that span; 0 for never
   */
  public record Tenancy(boolean takeOver, boolean standBy, long waitMillis) {

    /** Waits for the usual time, and neither takes over nor stands by. */
    public static final Tenancy POLITE = new Tenancy(false, 15_000);

    /** Creates a tenancy that does not stand by. */
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
    background = ObjectRequests.deletions(threads, "roram-vault-deleting");
    id = take.vault();
    tenure = take.number();
    next = tenure + 1;
    deletedBefore = take.first();
    if (waitMillis > 0) {
      threads.repeat("roram-vault", waitMillis / 3, this::beat);
    }
  }

  /** Returns whether there is a vault in these objects. */
  public static boolean isIn(ObjectSpace objects) throws IOException {
    return !objects.list(SLOTS, "").isEmpty();
  }

  /**
   * Creates an empty vault in these objects.
   *
   * @throws IOException also if there is a vault already
   */
  public static void create(ObjectSpace objects) throws IOException {
    Entry release = new Entry(Kind.RELEASE, "");
    VaultSlot slot = new VaultSlot(randomId(), 0, 0, 0, List.of(release));
    if (!objects.createOnce(slotName(0), ByteBuffer.wrap(slot.encode(random())))) {
      throw new IOException(objects + " has a client's records already");
    }
  }

  /** Deletes a vault that is not open. */
  public static void delete(ObjectSpace objects) throws IOException {
    objects.deleteAll(RECORDS);
    objects.deleteAll(SLOTS);
  }

  /**
   * Takes a vault, which from then on belongs to this client alone.
   *
   * @param objects the objects, which are closed with the vault; still open if this throws
   * @param holder this client's name, for messages of other clients: 100 characters at most
   * @throws StoreLockedException if another client has it; nothing was changed
   * @throws IOException if the engine fails; the vault is then given back if possible
   * @throws io.github.roram.IntegrityException if a slot is missing or damaged
   */
  public static ObjectVault open(ObjectSpace objects, String holder, Tenancy tenancy)
      throws IOException {
    return open(objects, holder, tenancy, new OwnedThreads());
  }

  /** Takes a vault with given threads, which end with it, for simulations. */
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
   * Returns a read-only view of a vault's present content, without taking it. A client that holds
   * the vault goes on, and in time deletes objects that the view needs.
   *
   * @param objects the objects, which are closed with the view
   */
  public static ObjectVault look(ObjectSpace objects) throws IOException {
    OwnedThreads threads = new OwnedThreads();
    ObjectRequests requests = ObjectRequests.to(objects, threads, REQUESTS);
    VaultTaking taking = new VaultTaking(objects, requests, "", threads);
    return OnFailure.close(
        threads::end,
        () -> {
          VaultSlot newest = taking.fromWhatIsNeeded(taking.newest(taking.newestSlots()));
          VaultView view = taking.viewUntil(newest);
          return new ObjectVault(objects, threads, requests, newest, view, 0, false);
        });
  }

  static String slotName(long number) {
    return SLOT_NAMES.name(number);
  }

  /** Returns random bytes that tell a slot from all others of its number. */
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

  /** Returns false: appended bytes that are not synced are in this process alone. */
  @Override
  public boolean keepsAppends() {
    return false;
  }

  /** Queues an entry, and returns the count to pass to {@link #await} for it to be durable. */
  private long queue(Entry entry) throws IOException {
    checkHeld();
    synchronized (view) {
      if (ended && entry.kind() != Kind.RELEASE) {
        throw new ClosedChannelException();
      }
      queue.add(entry);
      return ++queued;
    }
  }

  /** Returns once {@code entries} queued entries are durable. */
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
      for (Entry entry : queue) {
        room -= entry.slotBytes();
        if (room < 0) {
          break;
        }
        entries.add(entry);
      }
      VaultSlot slot = new VaultSlot(id, next, view.first(next), tenure, entries);
      byte[] bytes = slot.encode(random());
      // Only now: if the slot cannot be made, the next one has them.
      entries.subList(carried, entries.size()).forEach(entry -> queue.remove());
      return new Offered(slot, bytes, entries.size() - carried);
    }
  }

  /** Deletes objects that a durable slot made unnecessary, later if a log is being read. */
  private void discard(long first, List<String> replaced) {
    List<String> slots = new ArrayList<>();
    List<String> large;
    synchronized (view) {
      needless.addAll(replaced);
      if (reading > 0) {
        return;
      }
      large = List.copyOf(needless);
      needless.clear();
      for (; deletedBefore < first; deletedBefore++) {
        // The one that says who has the vault is deleted by the next client.
        if (!view.isKept(deletedBefore) && deletedBefore != tenure) {
          slots.add(slotName(deletedBefore));
        }
      }
    }
    if (!slots.isEmpty() || !large.isEmpty()) {
      background.execute(() -> delete(slots, large));
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
   * Deletes slots that another client had no time to delete, and pieces of large records that
   * nothing refers to. It spares objects of this client and of later ones, since this client may
   * have been replaced.
   *
   * @param first the lowest slot that is needed; of older ones only those that are kept are
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
        name -> VaultSlot.isKept(objects, name),
        (name, isKept) -> {
          if (!isKept) {
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

  /**
   * Writes a slot if none was written for a while, and has logs renewed that need too many; false
   * if another client has the vault.
   */
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
    } catch (IOException | RuntimeException | OutOfMemoryError e) { // the next one may succeed
      LOGGER.warn("could not record that this client still holds its records: {}", e.toString());
    }
    List<String> idle;
    synchronized (view) {
      idle = view.idleLogs();
    }
    if (!idle.isEmpty()) {
      background.execute(() -> idle.forEach(this::renew)); // a beat does not wait for it
    }
    return taken == null;
  }

  /** Puts a log in objects of its own, so that the slots that have it can be deleted. */
  private void renew(String log) {
    Pieces pieces = new Pieces(log);
    List<ObjectParts.Part> parts;
    Entry copy;
    InputStream from;
    synchronized (view) {
      parts = view.parts(log);
      copy = view.whole(log);
      from = reading(parts);
    }
    try (InputStream in = from) {
      if (copy == null) {
        pieces.copy(in);
        copy = pieces.large(Kind.LOG_LARGE);
      }
      synchronized (view) {
        if (view.renew(log, parts, copy)) {
          return;
        }
      }
    } catch (IOException e) {
      LOGGER.warn("log {} could not be written anew: {}", log, e.toString());
    }
    pieces.discard();
  }

  @Override
  public void confirm(boolean asks) throws IOException {
    check();
    if (asks) {
      beatNow();
    }
  }

  /** Does not beat once the vault is released: the next client would wait. */
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

  /** Offers a slot of unknown outcome again first, since it may have what is about to be read. */
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
    Entry entry =
        OnFailure.close(
            pieces::discard,
            () -> {
              writer.writeTo(pieces);
              return pieces.entry();
            });
    await(queue(entry));
  }

  private static void checkName(String name, String form, String what) {
    if (!name.matches(form)) {
      throw new IllegalArgumentException(what + " name is \"" + name + "\", must match " + form);
    }
  }

  /** Receives a record or a log: as bytes, or as objects once it is long. */
  private final class Pieces extends OutputStream {
    private final String name;
    private final String large;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private long written;
    private int pieces;

    Pieces(String name) {
      this.name = name;
      large = String.format(Locale.ROOT, RECORDS + "%016x/%s-%s", tenure, name, randomId());
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

    /** Receives all of a stream, unless the vault is closed meanwhile. */
    void copy(InputStream in) throws IOException {
      byte[] part = in.readNBytes(VaultView.PIECE_BYTES);
      while (part.length > 0) {
        synchronized (view) {
          if (ended) {
            throw new ClosedChannelException();
          }
        }
        write(part, 0, part.length);
        part = in.readNBytes(VaultView.PIECE_BYTES);
      }
    }

    private void put() throws IOException {
      String piece = VaultView.pieceName(large, pieces);
      pieces++;
      objects.put(piece, ByteBuffer.wrap(held.toByteArray()));
      written += held.size();
      held.reset();
    }

    /** Deletes the pieces of what is not saved, of which the last may be missing. */
    void discard() {
      List<String> names =
          IntStream.range(0, pieces).mapToObj(piece -> VaultView.pieceName(large, piece)).toList();
      if (!names.isEmpty()) {
        background.execute(() -> delete(names, List.of()));
      }
    }

    Entry entry() throws IOException {
      if (pieces == 0 && held.size() <= INLINE_BYTES) {
        return new Entry(Kind.SAVE, name, held.toByteArray());
      }
      return large(Kind.SAVE_LARGE);
    }

    Entry large(Kind kind) throws IOException {
      if (held.size() > 0) {
        put();
      }
      return VaultView.large(kind, name, large, written);
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

  /** Reads parts of a log, in the view's lock; their objects stay until the stream is closed. */
  private InputStream reading(List<ObjectParts.Part> parts) {
    reading++;
    return new FilterInputStream(new ObjectParts(objects, requests, parts)) {
      private boolean ended;

      @Override
      public void close() {
        synchronized (view) {
          reading -= ended ? 0 : 1;
          ended = true;
        }
      }
    };
  }

  /** Releases the vault, so that the next client need not wait, unless another has taken it. */
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

  /** A log; its bytes wait in the queue until a sync, or until another entry is written. */
  private final class SlotLog implements AppendLog {
    private final String name;
    private final int mostBytes;

    SlotLog(String name) {
      this.name = name;
      mostBytes = VaultSlot.ENTRY_BYTES / 2 - Entry.headerBytes(name);
    }

    /** Returns the length, once all appended bytes are durable. */
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
        return reading(view.parts(name));
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
