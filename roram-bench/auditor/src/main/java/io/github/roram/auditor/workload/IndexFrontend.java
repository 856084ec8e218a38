package io.github.roram.auditor.workload;

import io.github.roram.Oram;
import io.github.roram.map.IndexShape;
import io.github.roram.map.ObliviousIndex;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Through an index: a block's number is a word, which is searched for. A search is promised to read
 * a block of the dictionary, then one of postings, whether a document has the word or none. To
 * write is to add a document with one word: the block's, or another one if a document has that,
 * since the lengths of lists show. An addition shows, and so do the accesses that it makes.
 */
final class IndexFrontend extends Frontend {

  /** Additions between two merges. */
  private static final int BUFFERED_DOCUMENTS = 15;

  @Override
  public boolean isMap() {
    return true;
  }

  @Override
  public boolean showsWrites() {
    return true;
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
    PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
    RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
    IndexShape shape = new IndexShape(2 * (int) oram.config().blocks(), 1, BUFFERED_DOCUMENTS);
    promised.showWhatIsMade(true);
    ObliviousIndex index = ObliviousIndex.create(recorded, shape);
    return new Searches(index, recorded, promised, new HashSet<>());
  }

  @Override
  public String toString() {
    return "index";
  }

  /** Searches and additions of one client, one at a time. */
  private record Searches(
      ObliviousIndex index, RecordedOram recorded, PromisedAccesses promised, Set<String> words)
      implements Requests {

    private static String word(long block) {
      return "w" + block;
    }

    @Override
    public void read(long block, int count) throws IOException {
      promised.showWhatIsMade(false);
      promised.promiseBlocks(1);
      promised.promiseBlocks(1);
      index.search(word(block));
    }

    @Override
    public void write(long block, ByteBuffer source) throws IOException {
      promised.showWhatIsMade(true);
      String word = words.contains(word(block)) ? "again" + words.size() : word(block);
      index.add(words.size(), Set.of(word));
      words.add(word);
    }

    @Override
    public void close() throws IOException {
      recorded.async().close();
      promised.declareRest();
    }
  }
}
