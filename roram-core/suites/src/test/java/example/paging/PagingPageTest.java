package example.paging;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the page shows is compiled, and does what it says. */
class PagingPageTest {

  private static final Path PAGE = Path.of("../../docs/paging.md");
  private static final Path SOURCE = Path.of("src/test/java/example/paging/PagedHistogram.java");
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final int PAGE_BYTES = 4096;

  private static Path found(Path path) {
    Path here = Path.of("../roram-core/suites").resolve(path).normalize();
    return Files.exists(path) ? path : here;
  }

  @Test
  void pageShowsWhatIsRun() throws IOException {
    String source = words(Files.readString(found(SOURCE)));
    Matcher samples = JAVA.matcher(Files.readString(found(PAGE)));
    int count = 0;
    while (samples.find()) {
      assertThat(source).contains(words(samples.group(1)));
      count++;
    }
    assertThat(count).isEqualTo(2);
  }

  private static String words(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  @Test
  void itCounts() throws IOException {
    int[] values = IntStream.range(0, 200).map(i -> i * 9973 % 50 * 2000).toArray();
    assertThat(PagedHistogram.count(values)).isEqualTo(4);
    try (MasterKey key = MasterKey.generate()) {
      PageStore pages =
          PageStore.sealedWithoutOram(
              new MemoryStore(PageStore.sealedBytes(100, PAGE_BYTES)), 100, PAGE_BYTES, key);
      assertThat(PagedHistogram.scan(pages)).isEqualTo(100);
    }
  }
}
