package io.github.roram.map;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The words of an index in the order of their hashes, each with its number of postings; the
 * postings lie in the same order. A block has the number of postings before it, 8 bytes, and then
 * for each word the hash, 16 bytes, and the number of its postings, 4 bytes; zeros follow the last.
 */
final class Dictionary {

  private static final int BLOCK_HEADER = Long.BYTES;
  private static final int WORD_BYTES = Term.BYTES + Integer.BYTES;

  /** The keyed hash of a word, which identifies it in an index. */
  record Term(long high, long low) implements Comparable<Term> {

    static final int BYTES = 16;

    static Term get(ByteBuffer from) {
      return new Term(from.getLong(), from.getLong());
    }

    void put(ByteBuffer to) {
      to.putLong(high).putLong(low);
    }

    @Override
    public int compareTo(Term other) {
      int byHigh = Long.compareUnsigned(high, other.high);
      return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }
  }

  /** A word and the number of its postings. */
  record Word(Term term, int postings) {}

  /**
   * A list of postings.
   *
   * @param first number of postings before the list
   */
  record Postings(long first, int count) {}

  private Dictionary() {}

  /** Returns how many words fit in a block. */
  static int words(int blockBytes) {
    return (blockBytes - BLOCK_HEADER) / WORD_BYTES;
  }

  /** Reads the words of whole blocks, until the list has {@code wanted} words. */
  static void read(ByteBuffer blocks, int blockBytes, int wanted, List<Word> into) {
    for (int at = 0; at < blocks.limit(); at += blockBytes) {
      ByteBuffer block = blocks.slice(at, blockBytes).position(BLOCK_HEADER);
      for (int i = 0; i < words(blockBytes) && into.size() < wanted; i++) {
        into.add(new Word(Term.get(block), block.getInt()));
      }
    }
  }

  /**
   * Fills whole blocks.
   *
   * @param first the first word of the first block
   * @param before postings before that word
   * @return postings before the word after the last block
   */
  static long write(List<Word> words, int first, long before, ByteBuffer blocks, int blockBytes) {
    long postings = before;
    int next = first;
    for (int at = 0; at < blocks.limit(); at += blockBytes) {
      ByteBuffer block = blocks.slice(at, blockBytes).putLong(postings);
      for (int i = 0; i < words(blockBytes) && next < words.size(); i++, next++) {
        Word word = words.get(next);
        word.term().put(block);
        block.putInt(word.postings());
        postings += word.postings();
      }
    }
    return postings;
  }

  /** Returns where the postings of a word are, or null if the block does not have the word. */
  static @Nullable Postings find(ByteBuffer block, int wordsHere, Term term) {
    long first = block.getLong();
    for (int i = 0; i < wordsHere; i++) {
      Term here = Term.get(block);
      int count = block.getInt();
      if (here.equals(term)) {
        return new Postings(first, count);
      }
      first += count;
    }
    return null;
  }

  /** Returns the first word of each block. */
  static Term[] fences(List<Word> words, int blockBytes) {
    int each = words(blockBytes);
    Term[] fences = new Term[(words.size() + each - 1) / each];
    Arrays.setAll(fences, block -> words.get(block * each).term());
    return fences;
  }

  /** Returns the words with more postings added. */
  static List<Word> merged(List<Word> words, SortedMap<Term, ? extends List<Integer>> more) {
    List<Word> merged = new ArrayList<>(words.size() + more.size());
    int next = 0;
    for (Map.Entry<Term, ? extends List<Integer>> each : more.entrySet()) {
      for (; next < words.size() && words.get(next).term().compareTo(each.getKey()) < 0; next++) {
        merged.add(words.get(next));
      }
      boolean known = next < words.size() && words.get(next).term().equals(each.getKey());
      int before = known ? words.get(next++).postings() : 0;
      merged.add(new Word(each.getKey(), before + each.getValue().size()));
    }
    merged.addAll(words.subList(next, words.size()));
    return merged;
  }
}
