package example.store;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreTraits;
import io.github.roram.storage.file.StateDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Stores in one file: {@code plain:FILE}. The client's records are in {@code FILE.state}. */
public final class PlainStoreProvider implements StoreProvider {

  static final StoreOption<Long> START =
      StoreOption.bytes("plain-start", "Where in its file the store starts.").byDefault("0");

  @Override
  public String scheme() {
    return "plain";
  }

  @Override
  public String form() {
    return "plain:FILE";
  }

  @Override
  public String about() {
    return "one file";
  }

  @Override
  public List<StoreOption<?>> options() {
    return List.of(START);
  }

  @Override
  public StoreTraits traits(String location, StoreOptions options) {
    return new StoreTraits(
        4096, StoreTraits.Writes.IN_PLACE, 1, 1, StoreTraits.Cost.DISK_ACCESS, false, true);
  }

  @Override
  public OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    if (exists(location, options)) {
      throw new FileAlreadyExistsException(location);
    }
    StateDirectory state = StateDirectory.open(state(location));
    try {
      RandomAccessFile file = new RandomAccessFile(location, "rw");
      file.setLength(start(options) + capacityBytes);
      return state.opened(new PlainStore(file, start(options)));
    } catch (IOException | RuntimeException e) {
      state.close();
      StateDirectory.delete(state(location));
      throw e;
    }
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) throws IOException {
    requireExists(location);
    StateDirectory state = StateDirectory.open(state(location));
    try {
      RandomAccessFile file = new RandomAccessFile(location, "rw");
      return state.opened(new PlainStore(file, start(options)));
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
  }

  @Override
  public boolean exists(String location, StoreOptions options) {
    return Files.exists(file(location));
  }

  @Override
  public void delete(String location, StoreOptions options) throws IOException {
    requireExists(location);
    StateDirectory.delete(state(location));
    Files.delete(file(location));
  }

  private static long start(StoreOptions options) {
    return options.get(START).orElse(0L);
  }

  private static Path file(String location) {
    if (location.isEmpty()) {
      throw new ConfigurationException("store URI \"plain:\" names no file: write plain:FILE");
    }
    return Path.of(location);
  }

  private static Path state(String location) {
    return Path.of(location + ".state");
  }

  private static void requireExists(String location) throws NoSuchFileException {
    if (!Files.exists(file(location))) {
      throw new NoSuchFileException(location, null, "there is no store");
    }
  }
}
