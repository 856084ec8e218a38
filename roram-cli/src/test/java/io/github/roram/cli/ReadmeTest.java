package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows must work. */
class ReadmeTest {

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

  private static final String IMPORTS =
      """
      import io.github.roram.*;
      import io.github.roram.client.*;
      import java.nio.ByteBuffer;
      import java.nio.file.Path;
      """;

  private static Path root() {
    return SourceTree.ROOT;
  }

  @Test
  void itsJavaCompiles(@TempDir Path classes) throws IOException {
    Matcher samples = JAVA.matcher(Files.readString(root().resolve("README.md")));
    int count = 0;
    while (samples.find()) {
      String source =
          IMPORTS + "class Sample { void run() throws Exception {\n" + samples.group(1) + "}}\n";
      StringWriter messages = new StringWriter();
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  null,
                  null,
                  List.of("-proc:none", "-d", classes.toString()),
                  null,
                  List.of(new Source(source)))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
      count++;
    }
    assertThat(count).isPositive();
  }

  @Test
  void itsLinksLeadSomewhere() throws IOException {
    try (var pages = Files.list(root().resolve("docs"))) {
      for (Path page : List.of(root().resolve("README.md"), root().resolve("CONTRIBUTING.md"))) {
        assertLinks(page);
      }
      for (Path page : pages.toList()) {
        if (page.toString().toLowerCase(Locale.ROOT).endsWith(".md")) {
          assertLinks(page);
        }
      }
    }
  }

  private static void assertLinks(Path page) throws IOException {
    Matcher links = LINK.matcher(Files.readString(page));
    while (links.find()) {
      assertThat(page.resolveSibling(links.group(1))).as("link in " + page).exists();
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Sample.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
