package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.client.KeyFile;
import io.github.roram.client.WrappedKey;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A store in files with a key file, for tests of commands. */
record TestStore(Path directory, Path keyFile) {

  static final int BLOCK_BYTES = 1024;

  /** Creates one of 300 blocks below a directory. */
  static TestStore create(Path parent, String... options) {
    TestStore store = new TestStore(parent.resolve("store"), parent.resolve("key"));
    List<String> all = new ArrayList<>(List.of("--blocks", "300", "--block-size", "1K"));
    all.addAll(List.of("--max-range", "16", "--new-key"));
    all.addAll(List.of(options));
    CommandRun created = store.run("create", all.toArray(String[]::new));
    assertThat(created.exitCode()).as(created.messages()).isZero();
    return store;
  }

  String uri() {
    return "file:" + directory;
  }

  /** Runs a command on it, with its key. */
  CommandRun run(String command, String... options) {
    return CommandRun.of(line(command, options));
  }

  private String[] line(String command, String... options) {
    List<String> line = new ArrayList<>(List.of(command, uri(), "--key-file", keyFile.toString()));
    line.addAll(List.of(options));
    return line.toArray(String[]::new);
  }

  /** Writes bytes with the command. */
  CommandRun write(byte[] data, long offset, String... options) {
    List<String> all = new ArrayList<>(List.of("--in", "-", "--offset", Long.toString(offset)));
    all.addAll(List.of(options));
    return CommandRun.withInput(data, line("write", all.toArray(String[]::new)));
  }

  /** Reads bytes with the command. */
  byte[] read(long offset, int length, String... options) {
    List<String> all = new ArrayList<>(List.of("--out", "-", "--offset", Long.toString(offset)));
    all.addAll(List.of("--length", Integer.toString(length)));
    all.addAll(List.of(options));
    CommandRun run = run("read", all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return run.output();
  }

  /** Writes a block with the library and drops everything without closing, as a crash does. */
  void crashAfterWriting(long block, byte[] data) throws IOException {
    try (OpenedStore opened = open();
        MasterKey secret = KeyFile.read(keyFile);
        WrappedKey.Keys keys = WrappedKey.load(opened.vault()).orElseThrow().unwrap(secret)) {
      Oram oram = Orams.open(opened.store(), opened.vault(), keys.current());
      oram.write(block, ByteBuffer.wrap(data));
    }
  }

  OpenedStore open() throws IOException {
    return Stores.open(uri(), StoreOptions.defaults());
  }

  /** All files of the store and their contents. */
  Map<Path, byte[]> files() throws IOException {
    Map<Path, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(file, Files.readAllBytes(file));
      }
    }
    return files;
  }

  /** Puts files back, and removes those that came since. */
  void restore(Map<Path, byte[]> files) throws IOException {
    for (Path file : files().keySet()) {
      if (!files.containsKey(file)) {
        Files.delete(file);
      }
    }
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }
}
