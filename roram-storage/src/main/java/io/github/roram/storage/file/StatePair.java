package io.github.roram.storage.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Says which store and which state directory belong together: a file with the same random UUID, and
 * a line feed, in both. It does not say where the other one is.
 */
final class StatePair {

  /** Name of the file. */
  static final String FILE_NAME = "state.pair";

  private StatePair() {}

  /** What the file says, if there is one. */
  static Optional<String> read(Path directory) throws IOException {
    try {
      return Optional.of(
          new String(
              Files.readAllBytes(DurableFiles.requireNoDirectory(file(directory))), US_ASCII));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  static boolean exists(Path directory) {
    return Files.exists(file(directory));
  }

  /** Makes a state directory and a store belong together. */
  static void write(Path stateDirectory, Path storeDirectory) throws IOException {
    byte[] content = (UUID.randomUUID() + "\n").getBytes(US_ASCII);
    DurableFiles.replace(stateDirectory, FILE_NAME, out -> out.write(content));
    DurableFiles.replace(storeDirectory, FILE_NAME, out -> out.write(content));
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(file(directory));
  }

  private static Path file(Path directory) {
    return directory.resolve(FILE_NAME);
  }
}
