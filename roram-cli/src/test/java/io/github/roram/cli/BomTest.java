package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * What a project gets that imports roram-bom: the versions of roram's artifacts, and of nothing
 * else. A model without a parent, properties, profiles and imports is its own effective model.
 */
final class BomTest {

  private static final Path ROOT = SourceTree.ROOT;

  private static Element model(Path file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    Document document = factory.newDocumentBuilder().parse(file.toFile());
    return document.getDocumentElement();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static String text(Element parent, String name) {
    return children(parent, name).get(0).getTextContent().strip();
  }

  private static List<Element> managed(Element bom) {
    Element management = children(bom, "dependencyManagement").get(0);
    return children(children(management, "dependencies").get(0), "dependency");
  }

  @Test
  void itsModelIsItsOwn() throws Exception {
    Element bom = model(ROOT.resolve("roram-core/bom/pom.xml"));
    for (String inherited : List.of("parent", "properties", "profiles", "dependencies")) {
      assertThat(children(bom, inherited)).as(inherited).isEmpty();
    }
    assertThat(text(bom, "version")).isEqualTo(text(model(ROOT.resolve("pom.xml")), "version"));
    for (Element each : managed(bom)) {
      assertThat(text(each, "groupId")).isEqualTo("io.github.roram");
      assertThat(text(each, "version")).isEqualTo("${project.version}");
      assertThat(children(each, "scope")).isEmpty();
    }
  }

  /** Whatever has main code and is not for benchmarks alone. */
  @Test
  void itHasEveryArtifactThatIsPublished() throws Exception {
    Set<String> listed = new TreeSet<>();
    for (Element each : managed(model(ROOT.resolve("roram-core/bom/pom.xml")))) {
      listed.add(text(each, "artifactId"));
    }
    assertThat(listed).isEqualTo(published());
  }

  private static Set<String> published() throws Exception {
    Set<String> published = new TreeSet<>();
    for (Path module : modules()) {
      Path pom = module.resolve("pom.xml");
      boolean hasMain = Files.isDirectory(module.resolve("src/main/java"));
      if (hasMain && !Files.readString(pom).contains("<maven.deploy.skip>true")) {
        published.add(text(model(pom), "artifactId"));
      }
    }
    return published;
  }

  private static List<Path> modules() throws IOException {
    return SourceTree.files().stream()
        .filter(file -> file.endsWith("pom.xml"))
        .map(Path::getParent)
        .toList();
  }
}
