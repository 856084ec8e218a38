package io.github.roram.detwo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * In which key epoch each page of an area was sealed, for the last pages of it. A write that failed
 * is done again in a new epoch: what the first try left is authentic, and only the epoch says that
 * it is not what the client has.
 *
 * <p>Holds an entry for each epoch of the last {@code span} pages: one for each opening or failed
 * write meanwhile, which is what everyone saw.
 */
final class Epochs {

  /** The epoch of a page that was never sealed. */
  static final int NEVER = 0;

  private record Entry(long first, int epoch) {}

  private final long span;

  /** Newest first. */
  private final Deque<Entry> entries = new ArrayDeque<>();

  Epochs(long span) {
    this.span = span;
  }

  /** Pages from this number on are of that epoch. */
  void note(long first, int epoch) {
    Entry newest = entries.peekFirst();
    if (newest != null && newest.first <= first && newest.epoch == epoch) {
      return;
    }
    while (!entries.isEmpty() && entries.getFirst().first >= first) {
      entries.removeFirst();
    }
    newest = entries.peekFirst();
    if (newest == null || newest.epoch != epoch) {
      entries.addFirst(new Entry(first, epoch));
    }
    forgetBefore(first - span);
  }

  private void forgetBefore(long number) {
    boolean covered = false;
    for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
      Entry entry = each.next();
      if (covered) {
        each.remove();
      }
      covered |= entry.first <= number;
    }
  }

  /** The epoch of a page, or {@link #NEVER}. */
  int of(long number) {
    for (Entry entry : entries) {
      if (entry.first <= number) {
        return entry.epoch;
      }
    }
    return NEVER;
  }

  /** All pages that were sealed have been sealed again. */
  void resealed(int epoch) {
    if (!entries.isEmpty()) {
      long first = entries.getLast().first;
      clear();
      note(first, epoch);
    }
  }

  void clear() {
    entries.clear();
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeInt(entries.size());
    for (Iterator<Entry> each = entries.descendingIterator(); each.hasNext(); ) {
      Entry entry = each.next();
      out.writeLong(entry.first);
      out.writeInt(entry.epoch);
    }
  }

  void readFrom(DataInput in) throws IOException {
    clear();
    for (int i = in.readInt(); i > 0; i--) {
      entries.addFirst(new Entry(in.readLong(), in.readInt()));
    }
  }
}
