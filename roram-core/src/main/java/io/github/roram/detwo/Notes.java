package io.github.roram.detwo;

import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.engine.EngineNotes;
import io.github.roram.engine.OramContext;
import io.github.roram.store.IoPhase;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The notes of writes in the client's journal, and recovery from them (construction, section 11.4).
 * With {@code flush}, notes may be durable although their pages are not: recovery takes notes in
 * order while their pages authenticate, and drops the first whose pages do not, with all after it.
 * Notes of synced writes are never dropped, so a store that lost their pages is detected.
 *
 * <p>Not thread safe.
 */
final class Notes {

  private static final int REWRITTEN_PAGES = 64;

  private final OramContext context;
  private final Areas areas;
  private final PageTable table;
  private final byte[] note = new byte[RecordDescriptor.BYTES];

  /** Notes of a replay whose pages may be lost. */
  private final Deque<RecordDescriptor> doubtful = new ArrayDeque<>();

  private @Nullable EngineNotes journal;

  /** Writes that are durable on the store. */
  private long synced;

  /** Writes that are durable on the store and whose notes are durable in the journal. */
  private long secured;

  Notes(OramContext context, Areas areas, PageTable table) {
    this.context = context;
    this.areas = areas;
    this.table = table;
  }

  private boolean flushes() {
    return context.options().durability() == Durability.FLUSH;
  }

  /** Starts notes in a journal that begins with a saved state, the table as it is. */
  void start(@Nullable EngineNotes newJournal) {
    journal = newJournal;
    secured = table.writes();
  }

  /**
   * Makes room for another access: a power failure must not take back more writes than the areas
   * have slack for, or pages would be missing that the store has overwritten. With {@code sync},
   * too, accesses of many threads may be noted and not yet durable.
   */
  void beforeWrites() throws IOException {
    boolean far = table.writes() - secured >= areas.mostUnsynced();
    if (journal != null && far && context.options().durability() != Durability.OS) {
      sync();
      noteSynced();
      journal.sync();
      secured = table.writes();
    }
  }

  /** Makes pages durable that were just written, if they must be durable before they are noted. */
  void afterPages() throws IOException {
    if (context.options().durability() == Durability.SYNC) {
      context.store().sync();
    }
  }

  /** Notes writes that are in the table. */
  void noteWritten(int block, int count, int epoch) throws IOException {
    if (journal != null) {
      long end = table.writes();
      if (!flushes()) {
        synced = end;
      }
      append(new RecordDescriptor(end - count, synced, block, count, epoch));
    }
  }

  /** Notes that everything in the table is durable on the store. */
  void noteSynced() throws IOException {
    if (journal != null) {
      append(new RecordDescriptor(table.writes(), synced, 0, 0, context.keys().epoch()));
    }
  }

  private void append(RecordDescriptor record) throws IOException {
    record.writeTo(note);
    if (journal != null) {
      journal.append(note, note.length);
    }
  }

  /** Makes everything durable on the store that was written. */
  void sync() throws IOException {
    context.store().sync();
    synced = table.writes();
  }

  /** Makes everything durable on the store that a checkpoint relies on. */
  void syncForCheckpoint() throws IOException {
    if (flushes() && synced < table.writes()) {
      sync();
    }
  }

  /** Notes that the table is the saved one. */
  void restored() {
    synced = table.writes();
  }

  /** Applies a note; returns whether it was of an access. */
  boolean replay(DataInput in) throws IOException {
    RecordDescriptor record = RecordDescriptor.readFrom(in);
    long expected = doubtful.isEmpty() ? table.writes() : doubtful.getLast().end();
    int longest = context.config().maxRangeBlocks();
    record.check(expected, areas, longest, context.keys().epoch() - 1);
    while (!doubtful.isEmpty() && doubtful.getFirst().end() <= record.synced()) {
      apply(doubtful.removeFirst());
    }
    if (record.isInDoubt()) {
      doubtful.addLast(record);
    } else if (record.count() == 0) {
      table.settle(record.epoch());
    } else {
      apply(record);
    }
    return record.count() > 0;
  }

  private void apply(RecordDescriptor record) {
    if (table.settled() != table.writes()) {
      throw new IntegrityException(
          "the journal has writes after a crash whose refreshes were not done again; restore it"
              + " from a copy");
    }
    table.written(record.block(), record.count(), record.epoch());
  }

  /**
   * Takes the writes in doubt whose pages are there. Changes nothing on the store: the refreshes
   * that belong to them are repeated later.
   */
  void settleDoubts(PageCodec codec) throws IOException {
    boolean there = true;
    while (!doubtful.isEmpty() && there) {
      RecordDescriptor record = doubtful.removeFirst();
      there = holdsPages(record, codec);
      if (there) {
        table.held(record.block(), record.count(), record.epoch());
      }
    }
    doubtful.clear();
  }

  /**
   * Writes the pages of writes in doubt again, with the same bytes: if a sync of them failed, the
   * operating system may show them although it never writes them to the disk.
   */
  void rewriteDoubts() throws IOException {
    PageRequest request = new PageRequest(context.store(), areas);
    Page page = new Page();
    int pageBytes = areas.pageBytes();
    byte[] sealed = new byte[REWRITTEN_PAGES * pageBytes];
    for (long first = table.settled(); first < table.writes(); first += REWRITTEN_PAGES) {
      long end = Math.min(table.writes(), first + REWRITTEN_PAGES);
      request.reset(IoPhase.META);
      for (long write = first; write < end; write++) {
        request.add(table.name(Area.HOLDING, write, page));
      }
      request.read((number, bytes) -> bytes.get(sealed, number * pageBytes, pageBytes));
      request.reset(IoPhase.META);
      for (long write = first; write < end; write++) {
        request.addAlone(table.name(Area.HOLDING, write, page));
      }
      request.write(
          (firstUnit, bytes) -> bytes.put(sealed, firstUnit * pageBytes, bytes.remaining()));
    }
  }

  private boolean holdsPages(RecordDescriptor record, PageCodec codec) throws IOException {
    PageRequest request = new PageRequest(context.store(), areas).reset(IoPhase.META);
    Page page = new Page();
    for (long write = record.first(); write < record.end(); write++) {
      request.add(page.set(Area.HOLDING, write, record.epoch()));
    }
    byte[] sealed = new byte[areas.pageBytes()];
    byte[] block = new byte[context.config().blockBytes()];
    boolean[] all = {true};
    request.read(
        (number, bytes) -> {
          bytes.get(sealed);
          page.set(Area.HOLDING, record.first() + number, record.epoch());
          all[0] &= codec.opens(sealed, page, block);
        });
    return all[0];
  }
}
