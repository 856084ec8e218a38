package io.github.roram.map;

import io.github.roram.Oram;
import io.github.roram.map.Dictionary.Word;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;

/**
 * Copies all postings of an index from one half to the other, and appends to each word's list those
 * that were added. Reads a range and writes one, in turn, from first to last: no list becomes
 * shorter, so the postings read are always enough for the next write.
 */
final class PostingsCopy {

  private final Oram oram;
  private final IndexLayout from;
  private final IndexLayout to;

  PostingsCopy(Oram oram, IndexLayout from, IndexLayout to) {
    this.oram = oram;
    this.from = from;
    this.to = to;
  }

  /**
   * Copies the postings.
   *
   * @param words the words before the merge
   * @param after the words after the merge
   * @param added the added postings, by word
   */
  void run(List<Word> words, List<Word> after, SortedMap<Term, List<Integer>> added)
      throws IOException {
    int more = added.values().stream().mapToInt(List::size).sum();
    int window = from.longestRange() * from.blockBytes();
    ByteBuffer out = ByteBuffer.allocate(Math.addExact(window, more * Integer.BYTES));
    Iterator<Word> rest = after.iterator();
    Word word = null;
    int old = 0;
    int next = 0;
    for (long at = 0; at < from.postingBlocks(); at += from.longestRange()) {
      int count = (int) Math.min(from.longestRange(), from.postingBlocks() - at);
      ByteBuffer in = oram.read(from.postingsBlock() + at, count);
      while (word != null || rest.hasNext()) {
        if (word == null) {
          word = rest.next();
          boolean known = next < words.size() && words.get(next).term().equals(word.term());
          old = known ? words.get(next++).postings() : 0;
        }
        int here = Math.min(old, in.remaining() / Integer.BYTES);
        out.put(in.slice().limit(here * Integer.BYTES));
        in.position(in.position() + here * Integer.BYTES);
        old -= here;
        if (old > 0) {
          break; // the list goes on in the next range
        }
        added.getOrDefault(word.term(), List.of()).forEach(out::putInt);
        word = null;
      }
      write(at, count * from.blockBytes(), out);
    }
  }

  private void write(long at, int bytes, ByteBuffer out) throws IOException {
    out.flip();
    ByteBuffer range = ByteBuffer.allocate(bytes);
    range.put(out.slice().limit(Math.min(bytes, out.remaining()))).clear();
    out.position(Math.min(bytes, out.limit()));
    out.compact();
    oram.write(to.postingsBlock() + at, range);
  }
}
