package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores and backups that earlier versions wrote are opened by this one. Each version adds a
 * directory of its own below {@code golden}, which {@link #main} writes, and never changes another.
 */
final class GoldenStoresTest {

  private static final int BLOCKS = 40;
  private static final int BLOCK_BYTES = 512;
  private static final String NOT_CLOSED = "-not-closed";
  private static final String BACKUP = "-backup";

  @TempDir Path directory;

  /** Writes those of this version into a directory that is named. */
  public static void main(String[] arguments) throws IOException {
    Path into = Files.createDirectories(Path.of(arguments[0]));
    for (String name :
        List.of("roram", "roram-recursive", "path-batched", "path", "tao", "ring", "detwo")) {
      write(into, name, "");
    }
    write(into, "roram", NOT_CLOSED);
    write(into, "ring", NOT_CLOSED);
    write(into, "roram", BACKUP);
  }

  private static void write(Path into, String name, String kind) throws IOException {
    Path work = Files.createTempDirectory("golden");
    Path store = work.resolve("store");
    Roram roram = at(store);
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS)
            .scheme(name.replace("-recursive", ""))
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(4);
    if (name.endsWith("-recursive")) {
      builder.positionMap("recursive");
    }
    if (Scheme.of(name.replace("-recursive", "")).parameterNames().contains("treetopBytes")) {
      builder.treetopBytes(0);
    }
    roram.create(builder.build()).close();
    Oram oram = roram.open();
    byte[] content = content();
    for (int block = 0; block < BLOCKS / 2; block += 4) {
      int from = block * BLOCK_BYTES;
      oram.write(block, ByteBuffer.wrap(content, from, 4 * BLOCK_BYTES).slice());
    }
    Path zipped = store;
    if (kind.equals(NOT_CLOSED)) {
      // As a killed process leaves it.
      zipped = copy(store, work.resolve("copy"));
    }
    oram.close();
    if (kind.equals(BACKUP)) {
      zipped = work.resolve("backup");
      roram.backUp(Backup.in(zipped), 1, bytes -> {});
      roram.delete();
    }
    zip(zipped, into.resolve(name + kind + ".zip"));
  }

  private static byte[] content() {
    byte[] content = new byte[BLOCKS * BLOCK_BYTES];
    byte[] noise = new byte[content.length / 2];
    new Random(1).nextBytes(noise);
    System.arraycopy(noise, 0, content, 0, noise.length);
    return content;
  }

  private static Roram at(Path store) {
    byte[] bytes = new byte[MasterKey.BYTES];
    Arrays.fill(bytes, (byte) 7);
    return Roram.at("file:" + store).key(Key.of(MasterKey.copyOf(bytes)));
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return to;
  }

  private static void zip(Path from, Path to) throws IOException {
    try (OutputStream out = Files.newOutputStream(to);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        zip.putNextEntry(new ZipEntry(from.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, zip);
      }
    }
  }

  private static Path golden() throws URISyntaxException {
    URL found = Objects.requireNonNull(GoldenStoresTest.class.getResource("/golden"));
    URI uri = found.toURI();
    return Path.of(uri);
  }

  static List<String> stores() throws IOException, URISyntaxException {
    Path golden = golden();
    try (Stream<Path> files = Files.walk(golden)) {
      return files
          .filter(file -> file.toString().endsWith(".zip"))
          .map(file -> golden.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private Path unzip(String name, Path to) throws IOException, URISyntaxException {
    try (InputStream in = Files.newInputStream(golden().resolve(name));
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = to.resolve(entry.getName());
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.copy(zip, file);
      }
    }
    return to;
  }

  @ParameterizedTest
  @MethodSource("stores")
  void isOpenedAndUsed(String name) throws IOException, URISyntaxException {
    Path store = directory.resolve("store");
    Roram roram = at(store);
    if (name.endsWith(BACKUP + ".zip")) {
      Path backup = unzip(name, directory.resolve("backup"));
      roram.restore(Backup.in(backup), 0, false, bytes -> {});
    } else {
      unzip(name, store);
    }
    byte[] expected = content();
    for (int again = 0; again < 2; again++) {
      try (Oram oram = roram.options(OpenOptions.defaults()).open()) {
        boolean crashed = again == 0 && name.contains(NOT_CLOSED);
        assertThat(oram.recovery().clean()).isEqualTo(!crashed);
        assertThat(oram.readBytes(0, expected.length)).isEqualTo(expected);
        assertThat(oram.verify((done, total) -> {}).clean()).isTrue();
        oram.update(5, ByteBuffer.wrap(new byte[] {9}));
        expected[5] = 9;
      }
    }
  }

  /** Every scheme that comes with roram has one. */
  @Test
  void noSchemeIsLeftOut() throws IOException, URISyntaxException {
    List<String> names = stores();
    for (String scheme : List.of("roram", "path-batched", "path", "tao", "ring", "detwo")) {
      assertThat(names).anyMatch(name -> name.endsWith("/" + scheme + ".zip"));
    }
  }
}
