package example.search;

import io.github.roram.map.ObliviousIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Searches pages of text: an analyzer of Lucene's says what words are, an index finds them. */
final class SearchPages implements AutoCloseable {

  private final EnglishAnalyzer analyzer = new EnglishAnalyzer();
  private final ObliviousIndex index;
  private final List<Path> pages;

  SearchPages(ObliviousIndex index, List<Path> pages) throws IOException {
    this.index = index;
    this.pages = pages;
    for (int page = 0; page < pages.size(); page++) {
      List<String> words = List.copyOf(words(Files.readString(pages.get(page))));
      int each = index.shape().documentWords();
      for (int first = 0; first < words.size(); first += each) {
        index.add(page, words.subList(first, Math.min(first + each, words.size())));
      }
    }
  }

  /** The pages that have all words of a question. */
  Set<Path> find(String question) throws IOException {
    Set<Path> found = new TreeSet<>(pages);
    for (String word : words(question)) {
      Set<Path> having = new TreeSet<>();
      for (int page : index.search(word)) {
        having.add(pages.get(page));
      }
      found.retainAll(having);
    }
    return found;
  }

  /** Words as they are indexed: small letters, without endings, without "the" and "of". */
  Set<String> words(String text) throws IOException {
    Set<String> words = new LinkedHashSet<>();
    try (TokenStream tokens = analyzer.tokenStream("page", text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(word.toString());
      }
      tokens.end();
    }
    return words;
  }

  @Override
  public void close() {
    analyzer.close();
  }
}
