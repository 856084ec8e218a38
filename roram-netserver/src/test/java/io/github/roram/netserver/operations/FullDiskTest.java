package io.github.roram.netserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.access.TokenFile;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.testkit.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing is half-written of what an operator makes for a server. In place of a full disk, the
 * system lets a process write only so many bytes to each file: a block of 512 or 1,024.
 */
@DisabledOnOs(OS.WINDOWS)
final class FullDiskTest {

  private static final ClientIdentity ALICE = new ClientIdentity("alice");

  @TempDir Path directory;

  @Test
  void aTokenThatHasNoRoomChangesNothing() throws Exception {
    Path tokens = directory.resolve("tokens");
    TokenFile.add(tokens, ALICE);
    run(AddToken.class, tokens);
    assertThat(Files.readString(tokens)).endsWith("#full\n").containsOnlyOnce("sha256:");
    TokenFile.read(tokens);
  }

  /** Else they could not be made again: none is ever overwritten. */
  @Test
  void certificatesThatHaveNoRoomAreNotLeft() throws Exception {
    Path certificates = directory.resolve("certificates");
    run(MakeCertificates.class, certificates);
    assertThat(certificates).isEmptyDirectory();
    CertificateDirectory later = new CertificateDirectory(certificates, InstantSource.system());
    assertThat(later.issue(List.of(), List.of(), 1)).hasSize(4);
  }

  private static void run(Class<?> main, Path file) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 1 && exec \"$@\"", "sh"));
    command.addAll(JavaProcess.of(main, List.of(file.toString())).command());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said).contains("failed as it should");
  }

  /** The process that adds a token to a file with room for a part of its line. */
  static final class AddToken {
    /** Takes the file. */
    public static void main(String[] arguments) throws IOException {
      Path tokens = Path.of(arguments[0]);
      int room = 0;
      try {
        for (; ; room++) {
          Files.writeString(tokens, "\n", StandardOpenOption.APPEND);
        }
      } catch (IOException full) {
        String before = Files.readString(tokens);
        String shorter = before.substring(0, before.length() - Math.min(room, 30)) + "#full\n";
        Files.writeString(tokens, shorter);
      }
      try {
        TokenFile.add(tokens, ALICE);
      } catch (IOException full) {
        System.out.println("failed as it should");
      }
    }
  }

  /** The process that makes certificates, one of which is too long. */
  static final class MakeCertificates {
    /** Takes their directory. */
    public static void main(String[] arguments) {
      List<String> hosts =
          IntStream.range(0, 20).mapToObj(i -> "h" + i + "." + "d".repeat(50)).toList();
      try {
        new CertificateDirectory(Path.of(arguments[0]), InstantSource.system())
            .issue(hosts, List.of(), 1);
      } catch (IOException full) {
        System.out.println("failed as it should");
      }
    }
  }
}
