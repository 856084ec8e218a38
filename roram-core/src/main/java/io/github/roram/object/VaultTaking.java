package io.github.roram.object;

import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.object.VaultSlot.Entry;
import io.github.roram.object.VaultSlot.Kind;
import io.github.roram.store.PrintableText;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes an {@link ObjectVault} for a client: it creates the slot after the newest one, once it
 * knows that nobody has the vault, or at once if it is to take over. A stand-by reads slots as they
 * come. Not thread safe.
 */
final class VaultTaking {

  private static final Logger LOGGER = LoggerFactory.getLogger(VaultTaking.class);

  private static final int POLLS = 10;

  /** After this many short answers in a row, a busy client must be adding slots. */
  private static final int SHORT_ANSWERS = 20;

  private static final int FEW_NAMES = 100;

  /** Slots whose numbers are listed at a time, since an engine may claim any number of them. */
  private static final int SLOTS_AT_ONCE = 1024;

  /** Most characters of a holder's name in messages. */
  private static final int HOLDER_CHARS = 100;

  private final ObjectSpace objects;
  private final ObjectRequests requests;
  private final String holder;
  private final OwnedThreads threads;

  /** Content of the slots that were read. */
  private VaultView view = new VaultView();

  /** The first slot that the view lacks. */
  private long unread;

  /** The slot that was created last, which may have taken the vault. */
  private @Nullable VaultSlot created;

  /**
   * Creates a client that has nothing yet.
   *
   * @param holder the client's name, for messages of other clients
   * @param threads threads, which also supply the clock
   */
  VaultTaking(ObjectSpace objects, ObjectRequests requests, String holder, OwnedThreads threads) {
    this.threads = threads;
    this.objects = objects;
    this.requests = requests;
    this.holder = holder;
  }

  /**
   * Returns the names of the newest slots, in order. A busy client may have added more meanwhile,
   * which taking the vault finds.
   */
  List<String> newestSlots() throws IOException {
    List<String> names = List.of();
    int shortAnswers = 0;
    while (shortAnswers < SHORT_ANSWERS) {
      List<String> page = slotsAfter(names.isEmpty() ? "" : names.get(names.size() - 1));
      if (page.isEmpty()) {
        break;
      }
      shortAnswers = page.size() < FEW_NAMES ? shortAnswers + 1 : 0;
      names = page;
    }
    if (names.isEmpty()) {
      throw new IOException("there are no records of a client in " + objects);
    }
    return names;
  }

  /** Returns the names of some slots after a name, in order; none if there are no more. */
  private List<String> slotsAfter(String name) throws IOException {
    String last = name;
    List<String> slots = List.of();
    while (slots.isEmpty()) {
      List<String> page = objects.list(ObjectVault.SLOTS, last);
      if (page.isEmpty()) {
        break;
      }
      last = ObjectSpace.Names.last(page, ObjectVault.SLOTS, last);
      slots = page.stream().filter(ObjectVault.SLOT_NAMES::has).toList();
    }
    return slots;
  }

  /**
   * Takes the vault, and returns the slot that does so.
   *
   * @param slots the newest existing slots, in order
   * @throws StoreLockedException if another client has it
   */
  VaultSlot take(List<String> slots, Tenancy tenancy) throws IOException {
    VaultSlot newest = newest(slots);
    if (tenancy.standBy()) {
      return fromWhatIsNeeded(takeNext(newest, tenancy));
    }
    return fromWhatIsNeeded(tenancy.takeOver() ? takeFrom(newest) : takeIdle(newest, tenancy));
  }

  /** Returns the last of these slots, or a later one. */
  VaultSlot newest(List<String> slots) throws IOException {
    return readOrLater(ObjectVault.SLOT_NAMES.number(slots.get(slots.size() - 1)));
  }

  /**
   * Returns the slot with the lowest number that is really needed: a slot that takes the vault has
   * the value of some slots before it.
   */
  VaultSlot fromWhatIsNeeded(VaultSlot take) throws IOException {
    long first = take.first();
    VaultSlot slot = take;
    while (slot.has(Kind.TAKE) && slot.number() > first) {
      slot = read(slot.number() - 1);
      first = Math.max(first, slot.first());
    }
    return new VaultSlot(take.vault(), take.number(), first, take.tenure(), take.entries());
  }

  private VaultSlot read(long number) throws IOException {
    return VaultSlot.read(objects, ObjectVault.slotName(number), number);
  }

  /** Reads a slot, or a later one if a busy client has deleted it. */
  private VaultSlot readOrLater(long number) throws IOException {
    long newest = number;
    while (true) {
      try {
        return read(newest);
      } catch (NoSuchObjectException e) {
        List<String> later = slotsAfter(ObjectVault.slotName(newest));
        if (later.isEmpty()) {
          throw e;
        }
        newest = ObjectVault.SLOT_NAMES.number(later.get(later.size() - 1));
      }
    }
  }

  /** Waits until it is known that nobody has the vault, and takes it. */
  private VaultSlot takeIdle(VaultSlot newest, Tenancy tenancy) throws IOException {
    if (!newest.has(Kind.RELEASE)) {
      for (int poll = 0; poll < POLLS; poll++) {
        threads.sleep(tenancy.waitMillis() / POLLS);
        if (isFollowed(newest)) {
          throw locked(newest);
        }
      }
    }
    VaultSlot take = after(newest);
    if (!create(take)) {
      throw locked(take);
    }
    if (!isNewest(take)) {
      throw new StoreLockedException(
          "another client has the records in " + objects + ", and has gone on; try again");
    }
    return take;
  }

  /** Takes the vault once its holder has left, after other stand-bys that were faster. */
  private VaultSlot takeNext(VaultSlot newest, Tenancy tenancy) throws IOException {
    VaultSlot last = newest;
    while (true) {
      last = awaitStill(last, tenancy);
      VaultSlot take = after(last);
      if (create(take) && isNewest(take)) {
        return take;
      }
      last = readOrLater(take.number());
    }
  }

  /**
   * Returns the newest slot, once it releases the vault or has been the newest for long enough. By
   * then all slots before it have been read.
   */
  private VaultSlot awaitStill(VaultSlot newest, Tenancy tenancy) throws IOException {
    VaultSlot last = newest;
    long since = threads.nanoTime();
    while (!last.has(Kind.RELEASE)) {
      follow(last);
      threads.sleep(tenancy.waitMillis() / POLLS);
      long before = threads.nanoTime();
      try {
        List<String> later = slotsAfter(ObjectVault.slotName(last.number()));
        if (later.isEmpty()) {
          if (before - since >= TimeUnit.MILLISECONDS.toNanos(tenancy.waitMillis())) {
            return last;
          }
          continue;
        }
        last = readOrLater(ObjectVault.SLOT_NAMES.number(later.get(later.size() - 1)));
      } catch (IOException e) {
        // An engine that does not answer says nothing of who has the vault.
        LOGGER.warn("standing by, but cannot see the newest records: {}", e.toString());
      }
      since = threads.nanoTime();
    }
    return last;
  }

  /** Reads slots up to one; slots that cannot be read now are read once the vault is taken. */
  private void follow(VaultSlot last) {
    try {
      viewUntil(last);
    } catch (IOException e) {
      LOGGER.debug("standing by, {} not read yet: {}", last.number(), e.toString());
    }
  }

  /**
   * Tries number after number until it wins one from a busy client; it reads nothing meanwhile, so
   * as to be as fast. If two clients take over at the same time, the later one has the vault.
   */
  private VaultSlot takeFrom(VaultSlot newest) throws IOException {
    VaultSlot take = after(newest);
    while (true) {
      if (!create(take)) {
        take = taking(take, take.number() + 1, take());
      } else if (isNewest(take)) {
        return take;
      } else {
        take = after(readOrLater(take.number()));
      }
    }
  }

  /**
   * A slot that the holder has deleted can be created again. Then a later slot, the holder's,
   * exists, and the created one is deleted. A slot that was the newest until another client took
   * the vault right after it stays: the following slots are read one by one.
   */
  private boolean isNewest(VaultSlot take) throws IOException {
    List<String> later = slotsAfter(ObjectVault.slotName(take.number()));
    if (later.isEmpty()) {
      return true;
    }
    try {
      if (fromWhatIsNeeded(newest(later)).first() > take.number()) {
        objects.delete(List.of(ObjectVault.slotName(take.number())));
      }
    } catch (NoSuchObjectException e) {
      LOGGER.debug("slot {} stays: {}", take.number(), e.toString());
    }
    return false;
  }

  private boolean isFollowed(VaultSlot slot) throws IOException {
    return !slotsAfter(ObjectVault.slotName(slot.number())).isEmpty();
  }

  /**
   * Returns the slot that takes the vault after the last one. If that one is a release, its client
   * creates no other, so the taking slot need not be {@linkplain VaultSlot#isKept kept}.
   */
  private VaultSlot after(VaultSlot last) throws StoreDamagedException {
    if (last.number() >= VaultSlot.LAST_TAKEN) {
      throw new StoreDamagedException(
          objects + " has slot " + last.number() + ", which no client made: delete it");
    }
    if (last.has(Kind.RELEASE)) {
      return taking(last, last.number() + 1, new Entry(Kind.BEAT, ""), take());
    }
    return taking(last, last.number() + 1, take());
  }

  private VaultSlot taking(VaultSlot last, long number, Entry... entries) {
    return new VaultSlot(last.vault(), number, last.first(), number, List.of(entries));
  }

  private Entry take() {
    return new Entry(Kind.TAKE, holder);
  }

  private boolean create(VaultSlot slot) throws IOException {
    byte[] bytes = slot.encode(ObjectVault.random());
    boolean isOwn = objects.createOnce(ObjectVault.slotName(slot.number()), ByteBuffer.wrap(bytes));
    if (isOwn) {
      created = slot;
    }
    return isOwn;
  }

  /**
   * Releases a vault that was taken in vain, unless another client has taken it since. This needs
   * no earlier slots: it is as if the vault were taken once more, and released.
   */
  void giveBack() {
    VaultSlot own = created;
    if (own == null) {
      return;
    }
    try {
      if (isNewest(own)) {
        VaultSlot last = after(own);
        create(taking(last, last.number(), take(), new Entry(Kind.RELEASE, "")));
      }
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("the client's records were taken, and not released: {}", e.toString());
    }
  }

  private StoreLockedException locked(VaultSlot newest) throws IOException {
    return new StoreLockedException(
        "the client's records in "
            + objects
            + " are open already, by "
            + holder(newest)
            + "; close it there, or take over (--take-over)");
  }

  /** The name is in the slot by which the vault was taken, which is kept. */
  private String holder(VaultSlot newest) throws IOException {
    try {
      VaultSlot slot = read(newest.number());
      VaultSlot take = slot.has(Kind.TAKE) ? slot : read(slot.tenure());
      return take.entries().stream()
          .filter(entry -> entry.kind() == Kind.TAKE && !entry.name().isEmpty())
          .map(entry -> PrintableText.of(entry.name(), HOLDER_CHARS))
          .findFirst()
          .orElse("another client");
    } catch (NoSuchObjectException e) {
      // It goes on meanwhile, and needs this slot no more.
      return "another client";
    }
  }

  /** Returns the content of the slots that are needed, up to and including the last one. */
  VaultView viewUntil(VaultSlot last) throws IOException {
    if (last.first() >= unread) {
      // Slots between may be deleted.
      view = new VaultView();
      unread = last.first();
    }
    while (unread <= last.number()) {
      long end = Math.min(last.number(), unread + SLOTS_AT_ONCE - 1);
      List<Long> numbers = new ArrayList<>();
      for (long number = unread; number <= end; number++) {
        numbers.add(number);
      }
      requests.inOrder(
          numbers,
          ObjectSpace.CREATE_BYTES,
          number -> number,
          this::read,
          (number, slot) -> {
            view.add(slot);
            unread = number + 1;
          });
    }
    return view;
  }
}
