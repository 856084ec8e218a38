package io.github.roram.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.cli.Environment.PassphrasePrompt;
import io.github.roram.client.KeyFile;
import io.github.roram.client.SecretFile;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Key files, passphrase files and passphrases that are asked for. */
final class KeyOptionsTest {

  @TempDir Path directory;

  private String store() {
    return "file:" + directory.resolve("store");
  }

  private Path secret(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    SecretFile.create(file, content.getBytes(UTF_8));
    return file;
  }

  private CommandRun create(PassphrasePrompt prompt, String... options) {
    List<String> arguments = new ArrayList<>(List.of("create", store(), "--blocks", "10"));
    arguments.addAll(List.of(options));
    return CommandRun.withPrompt(prompt, arguments.toArray(String[]::new));
  }

  /** Answers that are handed out one after another, and kept to see whether they were wiped. */
  private static final class Answers implements PassphrasePrompt {
    private final Deque<char[]> left = new ArrayDeque<>();
    private final List<char[]> given = new ArrayList<>();

    Answers(String... answers) {
      for (String answer : answers) {
        left.add(answer.toCharArray());
      }
    }

    @Override
    public char[] ask(String question) {
      char[] answer = left.remove();
      given.add(answer);
      return answer;
    }

    void assertWiped() {
      assertThat(left).isEmpty();
      assertThat(given).allSatisfy(answer -> assertThat(answer).containsOnly('\0'));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void newKeyFileIsTheOwnersAlone() throws IOException {
    Path file = directory.resolve("key");
    assertThat(create(new Answers(), "--key-file", file.toString(), "--new-key").exitCode())
        .isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(file)).matches("[0-9a-f]{64}\n");
  }

  @Test
  void rawAndHexadecimalFilesHoldTheSameKey() throws IOException {
    Path raw = directory.resolve("raw");
    byte[] secret = new byte[MasterKey.BYTES];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) (7 * i - 100);
    }
    SecretFile.create(raw, secret);
    Path hex = secret("hex", "\n " + HexFormat.of().withUpperCase().formatHex(secret) + "\r\n");
    for (Path file : List.of(raw, hex)) {
      byte[] read = new byte[MasterKey.BYTES];
      try (MasterKey key = KeyFile.read(file)) {
        key.copyTo(read);
      }
      assertThat(read).isEqualTo(secret);
    }
  }

  @Test
  void fileThatIsNoKeyIsRefused() throws IOException {
    for (String content :
        List.of("", "ab".repeat(31), "ab".repeat(16) + " " + "ab".repeat(16), "xy".repeat(32))) {
      Path file = secret("key", content);
      CommandRun run = create(new Answers(), "--key-file", file.toString());
      assertThat(run.messages()).contains("32 raw bytes or 64 hexadecimal digits").hasLineCount(1);
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
      Files.delete(file);
    }
    Path large = secret("large", "a".repeat(1000));
    assertThat(create(new Answers(), "--key-file", large.toString()).messages())
        .contains("more than 80 bytes");
  }

  @Test
  void missingKeyFileIsNotMadeUnasked() {
    Path file = directory.resolve("key");
    CommandRun run = create(new Answers(), "--key-file", file.toString());
    assertThat(run.messages()).contains("add --new-key to generate one");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void existingKeyFileIsNotOverwritten() throws IOException {
    Path file = secret("key", "ab".repeat(32));
    CommandRun run = create(new Answers(), "--key-file", file.toString(), "--new-key");
    assertThat(run.messages()).contains("exists and is not overwritten");
    assertThat(Files.readString(file)).isEqualTo("ab".repeat(32));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void fileThatOthersCanReadIsRefused() throws IOException {
    Path file = secret("key", "ab".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    CommandRun run = create(new Answers(), "--key-file", file.toString());
    assertThat(run.messages()).contains("(rw-r-----); run: chmod 600 " + file);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void passphraseOpensTheStoreAgain() throws IOException {
    Answers twice = new Answers("correct horse", "correct horse");
    assertThat(create(twice).exitCode()).isZero();
    twice.assertWiped();
    Answers once = new Answers("correct horse");
    CommandRun opened = CommandRun.withPrompt(once, "info", store(), "--unlock");
    assertThat(opened.text()).contains("fits");
    once.assertWiped();
    Path file = secret("passphrase", "correct horse\nsecond line\n");
    CommandRun fromFile = CommandRun.of("info", store(), "--passphrase-file", file.toString());
    assertThat(fromFile.text()).contains("fits");
    CommandRun wrong = CommandRun.withPrompt(new Answers("battery"), "info", store(), "--unlock");
    assertThat(wrong.messages())
        .startsWith("roram: the store is locked with a passphrase, and this is not");
    assertThat(wrong.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  @Test
  void differingAndEmptyPassphrasesCreateNothing() {
    Answers differing = new Answers("one", "two");
    assertThat(create(differing).messages()).contains("differ");
    differing.assertWiped();
    assertThat(create(new Answers("")).messages()).contains("empty");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void withoutTerminalTheWayOutIsNamed() {
    CommandRun run = create(PassphrasePrompt.WITHOUT_TERMINAL);
    assertThat(run.messages())
        .contains("--key-file FILE, --key-env NAME or --passphrase-file FILE");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void newKeyNeedsAPlace() {
    assertThat(create(new Answers(), "--new-key").messages())
        .contains("--new-key needs --key-file");
  }
}
