package example.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.map.IndexShape;
import io.github.roram.map.ObliviousIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/keys.md, on this project's own pages: it finds what reading them finds. */
final class SearchPagesTest {

  @TempDir Path directory;

  @Test
  void findsThePagesThatHaveAllWords() throws Exception {
    List<Path> pages;
    try (Stream<Path> files = Files.list(Path.of("../docs"))) {
      pages = files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
    try (Oram oram =
            Roram.at("file:" + directory.resolve("store"))
                .key(Key.newFile(directory.resolve("key")))
                .create(OramConfig.builder(1024).maxRangeBlocks(16).build());
        SearchPages search =
            new SearchPages(ObliviousIndex.create(oram, new IndexShape(20_000, 200, 30)), pages)) {
      for (String question : List.of("position maps", "eviction order", "Redis", "zyzzyva")) {
        Set<Path> read = new TreeSet<>();
        for (Path page : pages) {
          if (search.words(Files.readString(page)).containsAll(search.words(question))) {
            read.add(page);
          }
        }
        assertThat(search.find(question)).as(question).isEqualTo(read);
      }
      assertThat(search.find("position maps")).isNotEmpty();
      assertThat(search.find("zyzzyva")).isEmpty();
    }
  }
}
