package io.github.roram.netserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tokens identify whom they were made for, and the file does not hold them. */
final class TokenFileTest {

  private static final ClientIdentity ALICE = new ClientIdentity("alice");
  private static final ClientIdentity BOB = new ClientIdentity("bob");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = directory.resolve("tokens");
  }

  private static byte[] bytes(String token) {
    return token.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void tokenIsWhoseItWasMadeFor() throws IOException {
    String first = TokenFile.add(file, ALICE);
    String second = TokenFile.add(file, BOB);
    String third = TokenFile.add(file, ALICE);
    TokenFile tokens = TokenFile.read(file);
    assertThat(tokens.identify(bytes(first))).contains(ALICE);
    assertThat(tokens.identify(bytes(second))).contains(BOB);
    assertThat(tokens.identify(bytes(third))).contains(ALICE);
    assertThat(Files.readString(file)).doesNotContain(first, second, third);
  }

  @Test
  void othersAreNobodys() throws IOException {
    String token = TokenFile.add(file, ALICE);
    TokenFile tokens = TokenFile.read(file);
    for (String wrong :
        new String[] {"", "x", token + "x", token.substring(1), "a".repeat(257), "alice"}) {
      assertThat(tokens.identify(bytes(wrong))).as(wrong).isEmpty();
    }
  }

  @Test
  void commentsAndAMissingLineEndDoNotHurt() throws IOException {
    String token = TokenFile.add(file, ALICE);
    Files.writeString(file, "# ours\n\n" + Files.readString(file).strip());
    String second = TokenFile.add(file, BOB);
    TokenFile tokens = TokenFile.read(file);
    assertThat(tokens.identify(bytes(token))).contains(ALICE);
    assertThat(tokens.identify(bytes(second))).contains(BOB);
  }

  @Test
  void malformedLinesAreNamedWithoutTheirContents() throws IOException {
    TokenFile.add(file, ALICE);
    Files.writeString(file, Files.readString(file) + "bob my-secret-token\n");
    assertThatThrownBy(() -> TokenFile.read(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("tokens:2: ")
        .hasMessageContaining("add-token")
        .hasMessageNotContaining("my-secret-token");
    assertThatThrownBy(() -> TokenFile.add(file, ClientIdentity.ANONYMOUS))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void whatIsNoTextIsNamed() throws IOException {
    TokenFile.add(file, ALICE);
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0x80, 0});
    assertThatThrownBy(() -> TokenFile.read(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("tokens:1: ");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void fileThatOthersCanWriteIsRefused() throws IOException {
    TokenFile.add(file, ALICE);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw--w----"));
    assertThatThrownBy(() -> TokenFile.read(file)).hasMessageContaining("chmod 600");
  }
}
