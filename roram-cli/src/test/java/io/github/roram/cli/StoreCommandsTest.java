package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.cli.Environment.PassphrasePrompt;
import io.github.roram.client.KeyFile;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The commands on stores: what goes in comes out, and what is wrong is told. */
final class StoreCommandsTest {

  private static final int BLOCKS = 300;
  private static final int BLOCK_BYTES = 1024;
  private static final int STORE_BYTES = BLOCKS * BLOCK_BYTES;

  @TempDir Path directory;

  private final Random random = new Random(1);
  private Path keyFile;
  private String store;

  @BeforeEach
  void createStore() {
    keyFile = directory.resolve("key");
    store = "file:" + directory.resolve("store");
    CommandRun created =
        CommandRun.of(
            "create",
            store,
            "--blocks",
            "300",
            "--block-size",
            "1K",
            "--max-range",
            "16",
            "--key-file",
            keyFile.toString(),
            "--new-key");
    assertThat(created.messages()).contains("Created " + store, "Keep a copy");
    assertThat(created.exitCode()).isEqualTo(ExitCodes.OK);
  }

  private CommandRun withKey(String... arguments) {
    return CommandRun.of(keyed(arguments));
  }

  private String[] keyed(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--key-file";
    all[arguments.length + 1] = keyFile.toString();
    return all;
  }

  private byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private Path randomFile(String name, int bytes) throws IOException {
    return Files.write(directory.resolve(name), randomBytes(bytes));
  }

  @Test
  void infoNeedsNoKey() {
    CommandRun info = CommandRun.of("info", store);
    assertThat(info.text()).contains("300 of 1024 bytes", "roram").doesNotContain("tree of");
    assertThat(info.exitCode()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void infoWithTheKeyShowsTheState() {
    assertThat(withKey("info", store).text()).contains("key            fits", "tree of 16");
    assertThat(withKey("info", store).text()).containsPattern("position map   local: .+ of memory");
  }

  @Test
  void positionMapsMayBeOnTheStore() {
    String other = "file:" + directory.resolve("recursive");
    CommandRun created =
        withKey(
            "create",
            other,
            "--blocks",
            "300",
            "--block-size",
            "1K",
            "--position-map",
            "recursive",
            "--set",
            "clientLabels=2");
    assertThat(created.exitCode()).as(created.messages()).isZero();
    assertThat(withKey("info", other).text())
        .contains("positionMap    recursive", "tree of a map")
        .containsPattern("position map   recursive, in 2 trees on the store: .+ of memory");
    assertThat(withKey("verify", other).exitCode()).isZero();
  }

  @Test
  void whatIsWrittenAnywhereIsReadBack() throws IOException {
    byte[] expected = new byte[STORE_BYTES];
    for (int i = 0; i < 12; i++) {
      byte[] data = randomBytes(1 + random.nextInt(40 * BLOCK_BYTES));
      int offset = i == 0 ? STORE_BYTES - data.length : random.nextInt(STORE_BYTES - data.length);
      System.arraycopy(data, 0, expected, offset, data.length);
      CommandRun written =
          CommandRun.withInput(
              data, keyed("write", store, "--offset", Integer.toString(offset), "--in", "-"));
      assertThat(written.messages()).isEqualTo(wrote(data.length, offset));
    }
    CommandRun read = withKey("read", store, "--offset", "0", "--length", "300K", "--out", "-");
    assertThat(read.messages()).isEmpty();
    assertThat(read.output()).isEqualTo(expected);
    CommandRun part = withKey("read", store, "--offset", "1000", "--length", "50001", "--out", "-");
    assertThat(part.output()).isEqualTo(Arrays.copyOfRange(expected, 1000, 51001));
  }

  private static String wrote(int bytes, int offset) {
    return "Wrote " + bytes + " bytes at " + offset + "." + System.lineSeparator();
  }

  @Test
  void importedFileIsExported() throws IOException {
    Path in = randomFile("in", 123 * BLOCK_BYTES + 77);
    Path json = directory.resolve("json");
    CommandRun first = withKey("import", store, "--in", in.toString(), "--json", json.toString());
    assertThat(first.messages()).startsWith("Bulk-loaded 123.08 KiB");
    assertThat(json).content().contains("\"method\" : \"bulk-load\"", "\"bytes\" : 126029");
    Path out = directory.resolve("out");
    assertThat(withKey("export", store, "--out", out.toString()).exitCode()).isZero();
    assertThat(Files.readAllBytes(out))
        .isEqualTo(Arrays.copyOf(Files.readAllBytes(in), STORE_BYTES));
  }

  @Test
  void accessedStoreIsImportedIntoWithOrdinaryWrites() throws IOException {
    CommandRun.withInput(randomBytes(5), keyed("write", store, "--offset", "7", "--in", "-"));
    Path in = randomFile("in", 100 * BLOCK_BYTES + 1);
    assertThat(withKey("import", store, "--in", in.toString()).messages())
        .startsWith("Wrote with ordinary accesses");
    CommandRun exported = withKey("export", store, "--length", "102401", "--out", "-", "--quiet");
    assertThat(exported.output()).isEqualTo(Files.readAllBytes(in));
    assertThat(exported.messages()).isEmpty();
  }

  @Test
  void aProxyMakesNoBulkLoad() throws IOException {
    String in = randomFile("in", 10).toString();
    CommandRun run =
        CommandRun.of("import", "proxy://127.0.0.1:1", "--in", in, "--memory", "1000000");
    assertThat(run.messages()).contains("--memory is for a bulk load");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void existingFileIsReplacedOnlyWhenForced() throws IOException {
    Path out = randomFile("out", 10);
    byte[] before = Files.readAllBytes(out);
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw--w----");
    Files.setPosixFilePermissions(out, permissions);
    Path part = randomFile("out.part", 10);
    byte[] others = Files.readAllBytes(part);
    CommandRun refused =
        withKey("read", store, "--offset", "0", "--length", "5", "--out", out.toString());
    assertThat(refused.messages()).contains("add --force");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(Files.readAllBytes(out)).isEqualTo(before);
    CommandRun forced =
        withKey(
            "read", store, "--offset", "0", "--length", "5", "--out", out.toString(), "--force");
    assertThat(forced.exitCode()).isZero();
    assertThat(Files.readAllBytes(out)).isEqualTo(new byte[5]);
    assertThat(Files.getPosixFilePermissions(out)).isEqualTo(permissions);
    assertThat(part).as("a file of that name").hasBinaryContent(others);
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, "*.part")) {
      assertThat(parts).containsExactly(part);
    }
  }

  @Test
  void aProxyIsGivenNothingOfTheStoreBehindIt() {
    for (String option : List.of("--adversary", "--form", "--map-directory", "--set")) {
      String value = Map.of("--adversary", "full", "--set", "a=1").getOrDefault(option, "eager");
      String[] line = {"write", "proxy://127.0.0.1:1", "--offset", "0", "--in", "-", option, value};
      CommandRun write = CommandRun.of(line);
      assertThat(write.exitCode()).as(write.messages()).isEqualTo(ExitCodes.USAGE);
      assertThat(write.messages()).contains("the proxy has", option);
    }
  }

  @Test
  void bytesBehindTheEndAreRefused() throws IOException {
    CommandRun read = withKey("read", store, "--offset", "300K", "--length", "1", "--out", "-");
    assertThat(read.messages()).contains("ends at byte 307200");
    assertThat(read.exitCode()).isEqualTo(ExitCodes.USAGE);
    Path in = randomFile("in", STORE_BYTES + 1);
    assertThat(withKey("import", store, "--in", in.toString()).exitCode())
        .isEqualTo(ExitCodes.USAGE);
    CommandRun write =
        CommandRun.withInput(
            new byte[3000], keyed("write", store, "--offset", "305000", "--in", "-"));
    assertThat(write.messages()).contains("longer than the store: 2200 bytes were written");
    // With that of usage nothing is done.
    assertThat(write.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  @Test
  void anEndBeyondAllNumbersIsTold() {
    CommandRun read = withKey("read", store, "--offset", "2^62", "--length", "2^62", "--out", "-");
    assertThat(read.messages())
        .contains("bytes 4611686018427387904 to 9223372036854775808 were asked for");
    assertThat(read.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  /** Else a mistake would cost the key, and with it all data. */
  @Test
  void whatIsReadIsNotWrittenOver() throws IOException {
    byte[] before = Files.readAllBytes(keyFile);
    String key = keyFile.toString();
    for (String[] line :
        new String[][] {
          {"export", store, "--out", key, "--force"},
          {"info", store, "--json", directory + "/./key"},
          {"read", store, "--offset", "0", "--length", "1", "--out", "-", "--record", key}
        }) {
      CommandRun run = withKey(line);
      assertThat(run.exitCode()).as(run.messages()).isEqualTo(ExitCodes.USAGE);
      assertThat(run.messages()).contains("is the file of --key-file");
      assertThat(Files.readAllBytes(keyFile)).isEqualTo(before);
    }
  }

  @Test
  void twoResultsHaveTwoFiles() throws IOException {
    Path there = Files.writeString(directory.resolve("there"), "as it was");
    for (Path file : List.of(there, directory.resolve("new"))) {
      String other = directory + "/./" + file.getFileName();
      CommandRun run =
          withKey("export", store, "--out", file.toString(), "--force", "--json", other);
      assertThat(run.messages()).contains("is the file of --out, name another");
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
    assertThat(there).hasContent("as it was");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void aFileToWriteHasAName() {
    CommandRun run = withKey("export", store, "--out", "");
    assertThat(run.messages()).contains("--out is empty, name a file");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void whatCannotNameAFileIsTold() {
    for (String[] line :
        new String[][] {{"export", store, "--out", "a\0b"}, {"backup", store, "--to", "a\0b"}}) {
      CommandRun run = withKey(line);
      assertThat(run.messages()).contains("names no file: ", "LC_ALL=C.UTF-8");
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
  }

  @Test
  void twoTopicsAreNone() {
    assertThat(CommandRun.of("help", "store", "keys").messages())
        .contains("no command or topic 'store keys'; commands: create, info, read");
  }

  @Test
  void aFileThatIsNotThereIsNotImported() {
    CommandRun run = withKey("import", store, "--in", directory.resolve("none").toString());
    assertThat(run.messages()).contains("none: there is no such file");
  }

  /** An argument is what it says, and never a file with more of them. */
  @Test
  void argumentsAreNotReadFromFiles() throws IOException {
    Path file = Files.writeString(directory.resolve("arguments"), "info " + store);
    CommandRun run = CommandRun.of("@" + file);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.text()).isEmpty();
  }

  /** As when a pipe's reader has gone, or the disk below a file is full. */
  private static final class Closed extends OutputStream {
    private int writes;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      writes++;
      throw new IOException("closed");
    }
  }

  private static int runInto(OutputStream output, ByteArrayOutputStream messages, String... line) {
    Environment environment =
        new Environment(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(output, true, StandardCharsets.UTF_8),
            new PrintStream(messages, true, StandardCharsets.UTF_8),
            PassphrasePrompt.WITHOUT_TERMINAL,
            false,
            Map.of());
    return RoramCommand.run(environment, line);
  }

  @Test
  void nothingIsReadForAReaderThatHasGone() {
    Closed closed = new Closed();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int code = runInto(closed, messages, keyed("export", store, "--out", "-"));
    assertThat(code).isEqualTo(ExitCodes.FAILURE);
    assertThat(messages.toString(StandardCharsets.UTF_8)).contains("standard output was closed");
    assertThat(closed.writes).as("of 19 pieces").isEqualTo(1);
  }

  /** It ends as other failures do, not with a stack trace. */
  @Test
  void tooLittleMemoryIsTold() {
    OutputStream none =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new OutOfMemoryError("as if");
          }
        };
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int code = runInto(none, messages, "info", store);
    assertThat(code).isEqualTo(ExitCodes.FAILURE);
    assertThat(messages.toString(StandardCharsets.UTF_8))
        .startsWith("roram: there is not enough memory (as if)")
        .contains("RORAM_JAVA_OPTS=-Xmx")
        .hasLineCount(1);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whereThereIsNoRoomIsTold() {
    String full = "no room left on the volume of /dev/full: free some there";
    assertThat(withKey("info", store, "--json", "/dev/full").messages()).contains(full);
    CommandRun read =
        withKey("read", store, "--offset", "0", "--length", "9", "--out", "/dev/full", "--force");
    assertThat(read.messages()).contains(full);
    assertThat(read.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  @Test
  void anAnswerThatGetsLostIsAFailure() {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int code = runInto(new Closed(), messages, "info", store);
    assertThat(code).isEqualTo(ExitCodes.FAILURE);
    assertThat(messages.toString(StandardCharsets.UTF_8)).contains("standard output was closed");
  }

  @Test
  void wrongKeyIsRefused() throws IOException {
    Path other = directory.resolve("other");
    KeyFile.generate(other).close();
    CommandRun read =
        CommandRun.of(
            "read",
            store,
            "--offset",
            "0",
            "--length",
            "1",
            "--out",
            "-",
            "--key-file",
            other.toString());
    assertThat(read.messages())
        .startsWith("roram: the store is locked with a key file, and this is not the right one");
    assertThat(read.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(read.output()).isEmpty();
  }

  @Test
  void storeWithKeyFileAsksForNoPassphrase() {
    CommandRun read = CommandRun.of("read", store, "--offset", "0", "--length", "1", "--out", "-");
    assertThat(read.messages()).contains("name it with --key-file FILE");
    assertThat(read.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void secondOpenerIsTurnedAway() throws IOException {
    try (OpenedStore opened = Stores.open(store, StoreOptions.defaults())) {
      assertThat(opened.store().capacityBytes()).isPositive();
      CommandRun read = withKey("read", store, "--offset", "0", "--length", "1", "--out", "-");
      assertThat(read.messages()).startsWith("roram: ").hasLineCount(1);
      assertThat(read.exitCode()).isEqualTo(ExitCodes.BUSY);
    }
  }

  @Test
  void damageIsToldFromFailure() throws IOException {
    Path in = randomFile("in", STORE_BYTES);
    assertThat(withKey("import", store, "--in", in.toString()).exitCode()).isZero();
    Path segment = directory.resolve("store").resolve("segment-000000");
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      ByteBuffer junk = ByteBuffer.wrap(randomBytes(4096));
      // Behind the superblock, wherever buckets are.
      for (long position = 1 << 14; position < channel.size(); position += 4096) {
        channel.write(junk.rewind(), position);
      }
    }
    CommandRun exported = withKey("export", store, "--out", directory.resolve("out").toString());
    assertThat(exported.messages()).startsWith("roram: ").hasLineCount(1);
    assertThat(exported.exitCode()).isEqualTo(ExitCodes.DATA);
    assertThat(directory.resolve("out")).doesNotExist();
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void existingStoreIsNotCreatedAgain() {
    CommandRun again = withKey("create", store, "--blocks", "10");
    assertThat(again.messages()).contains("holds a store already");
    assertThat(again.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(withKey("info", store).exitCode()).isZero();
  }

  @Test
  void missingStoreIsTold() {
    CommandRun info = CommandRun.of("info", "file:" + directory.resolve("nowhere"));
    assertThat(info.messages()).contains("nowhere").hasLineCount(1);
    assertThat(info.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  @Test
  void aStoreThatLostItsDescriptorIsTold() throws IOException {
    Path descriptor = directory.resolve("store").resolve("store.descriptor");
    Files.delete(descriptor);
    CommandRun info = CommandRun.of("info", store);
    assertThat(info.messages()).contains(descriptor + " is missing").hasLineCount(1);
    assertThat(info.exitCode()).isEqualTo(ExitCodes.DATA);
  }

  /** An argument that is to be a file is checked before anything is done. */
  @Test
  void aDirectoryInPlaceOfAFileIsNamed() {
    String folder = directory.toString();
    for (String[] wrong :
        new String[][] {
          {"info", store, "--key-file", folder},
          {"info", store, "--store-settings", folder},
          {"write", store, "--offset", "0", "--in", folder},
          {"verify", store, "--json", folder},
          {"nbd", "--config", folder},
          {"server", "--config", folder}
        }) {
      CommandRun run = CommandRun.of(wrong);
      assertThat(run.messages()).contains(folder + " is a directory");
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
  }

  /** What a command tells at its end has a place, which is looked at before it begins. */
  @Test
  void aResultWithoutADirectoryIsRefused() {
    Path missing = directory.resolve("missing");
    CommandRun run = CommandRun.of("verify", store, "--json", missing.resolve("x").toString());
    assertThat(run.messages()).contains("--json: there is no directory " + missing);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void controlCharactersOfAPathAreNotLetAtTheTerminal() {
    // Names of files are in ASCII alone where the system says nothing of languages.
    Charset ofNames = Charset.forName(System.getProperty("sun.jnu.encoding"));
    String turned = ofNames.newEncoder().canEncode('\u202e') ? "\u202e" : "";
    String odd = "file:" + directory.resolve("a\u001b[2J\nb" + turned);
    String[] create = {"create", odd, "--blocks", "16"};
    CommandRun created = withKey(create);
    assertThat(created.exitCode()).as(created.messages()).isZero();
    for (CommandRun run :
        List.of(
            created,
            withKey(create),
            CommandRun.of("info", odd),
            withKey("verify", odd),
            CommandRun.of("info", odd + "\u0007"),
            CommandRun.of("info", odd, "\u001b[2J"))) {
      assertThat(run.messages() + run.text())
          .contains("\uFFFD")
          .doesNotContain("\u001b", "\u202e", "\u0007", "J\nb");
    }
  }
}
