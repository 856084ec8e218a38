package example.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that says how a scheme is written shows this one, which is compiled and run. */
class WriteASchemePageTest {

  private static final Path PAGE = Path.of("../../docs/write-a-scheme.md");
  private static final Path EXAMPLE = Path.of("src/test/java/example/scheme");
  private static final Path REGISTRATION =
      Path.of("src/test/resources/META-INF/services/io.github.roram.Scheme");
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void showsWhatIsRunAndNoMoreThanAScreen() throws IOException {
    String page = Files.readString(PAGE);
    String code = source("LinearScheme") + source("LinearEngine") + source("LinearSchemeTest");
    Matcher samples = JAVA.matcher(page);
    int count = 0;
    while (samples.find()) {
      assertThat(code).contains(words(samples.group(1)));
      count++;
    }
    assertThat(count).isEqualTo(2);
    assertThat(code).contains(".scheme(\"linear\")", ".set(\"longest\", 8)");
    assertThat(page.lines().count()).isLessThanOrEqualTo(70);
  }

  @Test
  void showsItsRegistration() throws IOException {
    assertThat(Files.readString(REGISTRATION)).contains(LinearScheme.class.getName());
    assertThat(Files.readString(PAGE))
        .contains("\n" + LinearScheme.class.getName() + "\n", REGISTRATION.getFileName() + "`");
  }

  private static String source(String name) throws IOException {
    return words(Files.readString(EXAMPLE.resolve(name + ".java")));
  }

  private static String words(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
