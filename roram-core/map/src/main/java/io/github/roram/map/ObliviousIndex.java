package io.github.roram.map;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.map.Dictionary.Postings;
import io.github.roram.map.Dictionary.Term;
import io.github.roram.map.Dictionary.Word;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * An inverted index, which finds the documents that have a word, in an ORAM of its own. A search is
 * two accesses, one after the other: one block of the dictionary, then the range of the word's
 * postings (rORAM's section I-A calls this searchable encryption). The caller splits documents into
 * words and normalizes them.
 *
 * <p>Added documents go to a log, which the client also has in memory, so that searches find them
 * at once. Every {@link IndexShape#bufferedDocuments} additions the log is merged: the whole
 * dictionary and all postings are read and written to the other half of the store, in order; then a
 * write of one block switches to that half. A crash leaves one half or the other in use.
 *
 * <h2>Security</h2>
 *
 * The store sees that there was a search, and the class of the length of the word's list: {@code
 * ceil(log2)} of the blocks that such a list can touch, or the number of longest ranges if it is
 * longer than one. A word of no document looks like a word of one document, but not like one of
 * two. The store sees that a document was added, not how many words it has, and a merge after a
 * fixed number of additions, which is always the same. It sees that an index is full, which then
 * only reads the dictionary and does not merge.
 *
 * <p>Thread safety: safe. Searches run while documents are added and merged; additions run one
 * after another.
 */
public final class ObliviousIndex {

  /**
   * State that searches need; each merge replaces it.
   *
   * @param fences first words of the dictionary's blocks
   * @param searches each search in flight holds a permit
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Merged(IndexLayout layout, Term[] fences, Semaphore searches) {
    Merged(IndexLayout layout, Term[] fences) {
      this(layout, fences, new Semaphore(Integer.MAX_VALUE));
    }

    /** Waits for all searches of this state; no new one may begin. */
    void await() {
      searches.acquireUninterruptibly(Integer.MAX_VALUE);
    }
  }

  private final Oram oram;
  private final AsyncOram accesses;
  private final ThreadLocal<Mac> hashes;

  /** Held by additions, which run one after another. */
  private final Object adding = new Object();

  /** Guards the fields below. */
  private final Object state = new Object();

  private Merged merged;

  /** The state before the last merge, while searches may read its half, which is written next. */
  private @Nullable Merged older;

  private TreeMap<Term, List<Integer>> buffered = new TreeMap<>();
  private int bufferedDocuments;

  private ObliviousIndex(Oram oram, IndexLayout layout) {
    this.oram = oram;
    accesses = oram.async();
    hashes = ThreadLocal.withInitial(() -> KeyedHash.of(layout.secret()));
    merged = new Merged(layout, new Term[0]);
  }

  /**
   * Creates an empty index in an ORAM whose blocks are zeros.
   *
   * @param oram the index's own ORAM, which its opener closes; it should have trees for ranges
   * @throws ConfigurationException if the ORAM is too small, or has data in block 0
   */
  public static ObliviousIndex create(Oram oram, IndexShape shape) throws IOException {
    if (MapHeader.hasData(oram.read(0, 1))) {
      throw new ConfigurationException(
          "block 0 of the store is not empty; open the index that is there, or make one in a new"
              + " store");
    }
    IndexLayout layout = IndexLayout.fresh(shape, oram.config());
    oram.write(0, layout.block());
    return new ObliviousIndex(oram, layout);
  }

  /**
   * Opens an index, even after a crash: reads its log and its dictionary.
   *
   * @throws ConfigurationException if the ORAM has no index
   */
  public static ObliviousIndex open(Oram oram) throws IOException {
    IndexLayout layout = IndexLayout.parse(oram.read(0, 1), oram.config());
    ObliviousIndex index = new ObliviousIndex(oram, layout);
    index.merged =
        new Merged(layout, Dictionary.fences(index.readDictionary(layout), layout.blockBytes()));
    for (int document = 0; document < layout.shape().bufferedDocuments(); document++) {
      index.readDocument(
          layout, oram.read(layout.documentBlock(document), layout.documentBlocks()));
    }
    return index;
  }

  private void readDocument(IndexLayout layout, ByteBuffer logged) {
    int merges = logged.getInt();
    int document = logged.getInt();
    int words = logged.getInt();
    if (words > 0 && merges == layout.merges()) {
      for (int word = 0; word < words; word++) {
        buffer(Term.get(logged), document);
      }
      bufferedDocuments++;
    }
  }

  private Term term(String word) {
    byte[] hash = hashes.get().doFinal(word.getBytes(StandardCharsets.UTF_8));
    return Term.get(ByteBuffer.wrap(hash));
  }

  private void buffer(Term term, int document) {
    buffered.computeIfAbsent(term, none -> new ArrayList<>()).add(document);
  }

  /** Returns the capacity of the index. */
  public IndexShape shape() {
    synchronized (state) {
      return merged.layout.shape();
    }
  }

  /**
   * Adds a document, or words to one, by one write of as many blocks as the longest document takes;
   * every {@link IndexShape#bufferedDocuments} calls, a merge precedes it. As durable as a write of
   * the ORAM.
   *
   * @param document the document's number, at least 0
   * @param words its words: 1 to {@link IndexShape#documentWords} distinct ones
   * @throws IllegalArgumentException if there are too many words, or none
   * @throws MapFullException if there is no room for the words or postings; nothing was changed
   */
  public void add(int document, Collection<String> words) throws IOException {
    List<Term> terms = words.stream().map(this::term).distinct().toList();
    int most = shape().documentWords();
    if (document < 0 || terms.isEmpty() || terms.size() > most) {
      throw new IllegalArgumentException(
          "document "
              + document
              + " with "
              + terms.size()
              + " words: its number must be at least 0, and its words 1 to "
              + most
              + "; add the others by further calls");
    }
    synchronized (adding) {
      if (bufferedDocuments == shape().bufferedDocuments()) {
        merge();
      }
      IndexLayout layout = merged.layout;
      ByteBuffer logged = ByteBuffer.allocate(layout.documentBlocks() * layout.blockBytes());
      logged.putInt(layout.merges()).putInt(document).putInt(terms.size());
      terms.forEach(term -> term.put(logged));
      new WholeRun(oram, layout.documentBlock(bufferedDocuments), layout.documentBlocks())
          .write(logged.clear());
      synchronized (state) {
        terms.forEach(term -> buffer(term, document));
        bufferedDocuments++;
      }
    }
  }

  /** Returns the documents that have a word, in the order of their numbers. */
  public int[] search(String word) throws IOException {
    return Futures.join(searchAsync(word));
  }

  /** Searches as {@link #search} does, asynchronously. */
  public CompletableFuture<int[]> searchAsync(String word) {
    Term term = term(word);
    Merged now;
    List<Integer> recent;
    synchronized (state) {
      now = merged;
      recent = List.copyOf(buffered.getOrDefault(term, List.of()));
      now.searches.acquireUninterruptibly();
    }
    return Futures.begun(() -> lookUp(now, term))
        .thenCompose(postings -> readPostings(now.layout, postings))
        // Not on the returned future: if the caller cancelled that one, this would not run.
        .whenComplete((before, failed) -> now.searches.release())
        .thenApply(before -> together(before, recent));
  }

  private static int[] together(IntStream before, List<Integer> recent) {
    IntStream all = IntStream.concat(before, recent.stream().mapToInt(Integer::intValue));
    return all.sorted().distinct().toArray();
  }

  /** Finds a word's postings; an unknown word gets one posting, which is read and ignored. */
  private CompletableFuture<@Nullable Postings> lookUp(Merged now, Term term) {
    int found = Arrays.binarySearch(now.fences, term);
    int block = Math.max(0, found >= 0 ? found : -found - 2);
    IndexLayout layout = now.layout;
    int before = block * Dictionary.words(layout.blockBytes());
    int words = Math.min(layout.dictionaryWords() - before, Dictionary.words(layout.blockBytes()));
    ByteBuffer read = ByteBuffer.allocate(layout.blockBytes());
    return accesses
        .read(layout.half() + block, 1, read)
        .thenApply(none -> Dictionary.find(read.clear(), words, term));
  }

  /** Reads a list in the accesses that any list of its length takes, wherever it begins. */
  private CompletableFuture<IntStream> readPostings(
      IndexLayout layout, @Nullable Postings postings) {
    long first = postings == null ? 0 : postings.first() * Integer.BYTES;
    long bytes = postings == null ? Integer.BYTES : (long) postings.count() * Integer.BYTES;
    int blocks = 1 + layout.blocksOf(bytes - Integer.BYTES);
    long block = Math.min(first / layout.blockBytes(), layout.postingBlocks() - blocks);
    ByteBuffer read = ByteBuffer.allocate(Math.multiplyExact(blocks, layout.blockBytes()));
    List<CompletableFuture<Void>> parts = new ArrayList<>();
    for (int at = 0; at < blocks; at += layout.longestRange()) {
      // The last part is as long as the others, and reads some blocks again.
      int count = Math.min(layout.longestRange(), blocks);
      int start = Math.min(at, blocks - count);
      ByteBuffer part = read.slice(start * layout.blockBytes(), count * layout.blockBytes());
      parts.add(accesses.read(layout.postingsBlock() + block + start, count, part));
    }
    int from = (int) (first - block * layout.blockBytes()) / Integer.BYTES;
    int count = postings == null ? 0 : postings.count();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(
            none ->
                IntStream.range(from, from + count)
                    .map(posting -> read.getInt(posting * Integer.BYTES)));
  }

  /** Reads and writes both halves, in order, whatever their content. */
  private void merge() throws IOException {
    IndexLayout before = merged.layout;
    List<Word> words = readDictionary(before);
    List<Word> after = Dictionary.merged(words, buffered);
    long postings = after.stream().mapToLong(Word::postings).sum();
    if (after.size() > before.shape().words() || postings > before.postings()) {
      throw new MapFullException(
          "the index would have "
              + after.size()
              + " words and "
              + postings
              + " postings, and has room for "
              + before.shape().words()
              + " and "
              + before.postings()
              + "; add all documents to a larger one");
    }
    if (older != null) {
      older.await();
      older = null;
    }
    IndexLayout next = before.merged(after.size());
    writeDictionary(next, after);
    new PostingsCopy(oram, before, next).run(words, after, buffered);
    oram.write(0, next.block());
    synchronized (state) {
      older = merged;
      merged = new Merged(next, Dictionary.fences(after, next.blockBytes()));
      buffered = new TreeMap<>();
      bufferedDocuments = 0;
    }
  }

  private List<Word> readDictionary(IndexLayout layout) throws IOException {
    List<Word> words = new ArrayList<>(layout.dictionaryWords());
    for (int at = 0; at < layout.dictionaryBlocks(); at += layout.longestRange()) {
      int count = Math.min(layout.longestRange(), layout.dictionaryBlocks() - at);
      ByteBuffer blocks = oram.read(layout.half() + at, count);
      Dictionary.read(blocks, layout.blockBytes(), layout.dictionaryWords(), words);
    }
    return words;
  }

  private void writeDictionary(IndexLayout layout, List<Word> words) throws IOException {
    long postings = 0;
    for (int at = 0; at < layout.dictionaryBlocks(); at += layout.longestRange()) {
      int count = Math.min(layout.longestRange(), layout.dictionaryBlocks() - at);
      ByteBuffer blocks = ByteBuffer.allocate(count * layout.blockBytes());
      int first = at * Dictionary.words(layout.blockBytes());
      postings = Dictionary.write(words, first, postings, blocks, layout.blockBytes());
      oram.write(layout.half() + at, blocks);
    }
  }

  /**
   * Copies all postings of an index from one half to the other, and appends to each word's list
   * those that were added. Reads a range and writes one, in turn, from first to last: no list
   * becomes shorter, so the postings read are always enough for the next write.
   */
  private record PostingsCopy(Oram oram, IndexLayout from, IndexLayout to) {

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
}
