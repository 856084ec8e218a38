package io.github.roram.storage.objects;

import io.github.roram.object.ObjectSelfTest;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreDeletion;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreTraits;
import io.github.roram.storage.file.StateDirectory;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores in an engine that keeps objects, under the engine's URIs; each store has a place of
 * objects for itself. The client's records stay on this machine. Creating a store fails if the
 * engine lets two clients create the same object.
 */
public abstract class ObjectStoreProvider implements StoreProvider {

  private static final String SELF_TEST = "self-test";

  private final ObjectsProvider engine;

  /** Creates a provider of stores in an engine. */
  protected ObjectStoreProvider(ObjectsProvider engine) {
    this.engine = engine;
  }

  @Override
  public final String scheme() {
    return engine.scheme();
  }

  @Override
  public final String form() {
    return engine.form();
  }

  @Override
  public final String about() {
    return engine.about();
  }

  @Override
  public final List<StoreOption<?>> options() {
    List<StoreOption<?>> options = new ArrayList<>(engine.options());
    options.add(StoreOptions.STATE_DIRECTORY.byDefault("a directory in ~/.local/state/roram"));
    options.add(StoreOptions.VAULT);
    options.add(StoreOptions.TAKE_OVER);
    options.add(StoreOptions.STAND_BY);
    options.add(StoreOptions.VAULT_SECONDS);
    return options;
  }

  @Override
  public final StoreTraits traits(String location, StoreOptions options) {
    ObjectTraits traits = engine.traits(location, options);
    return new StoreTraits(
        traits.readBytes(),
        StoreTraits.Writes.APPENDED,
        1,
        traits.requests(),
        StoreTraits.Cost.ROUND_TRIP,
        true,
        true);
  }

  @Override
  public final OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    Path state = stateDirectory(location, options);
    StateDirectory.requireNoRecords(state, uri(location));
    try (ObjectSpace objects = engine.open(location, options)) {
      if (ObjectStore.isIn(objects)) {
        throw new FileAlreadyExistsException(uri(location), null, "holds a store already");
      }
      ObjectSelfTest.run(objects, SELF_TEST);
    }
    return open(location, state, options, true);
  }

  @Override
  public final OpenedStore open(String location, StoreOptions options) throws IOException {
    return open(location, stateDirectory(location, options), options, false);
  }

  private OpenedStore open(String location, Path directory, StoreOptions options, boolean create)
      throws IOException {
    StateDirectory.requireNotOfFiles(directory, uri(location));
    StateDirectory state = StateDirectory.open(directory);
    return OnFailure.close(
        state,
        () -> {
          ObjectSpace objects = engine.open(location, options);
          return OnFailure.close(objects, () -> state.opened(store(objects, location, create)));
        });
  }

  private ObjectStore store(ObjectSpace objects, String location, boolean create)
      throws IOException {
    if (create) {
      return ObjectStore.create(objects);
    }
    requireStore(objects, location);
    return new ObjectStore(objects);
  }

  @Override
  public final boolean exists(String location, StoreOptions options) throws IOException {
    try (ObjectSpace objects = engine.open(location, options)) {
      return ObjectStore.isIn(objects);
    }
  }

  /** Deletes the store and the client's records, and after an interruption what is left. */
  @Override
  public final void delete(String location, StoreOptions options) throws IOException {
    Path directory = stateDirectory(location, options);
    try (ObjectSpace objects = engine.open(location, options)) {
      StateDirectory.deleteStore(
          directory,
          new StoreDeletion(
              scheme() + ":" + engine.place(location),
              () -> ObjectStore.isIn(objects),
              () -> {
                requireStore(objects, location);
                ObjectStore.delete(objects);
              }));
    }
    StateDirectory.delete(directory);
  }

  private void requireStore(ObjectSpace objects, String location) throws IOException {
    if (!ObjectStore.isIn(objects)) {
      throw new NoSuchFileException(uri(location), null, "holds no store");
    }
  }

  private String uri(String location) {
    return scheme() + ":" + location;
  }

  private Path stateDirectory(String location, StoreOptions options) {
    Path given = options.stateDirectory();
    return given != null ? given : StateDirectory.usual(scheme(), engine.place(location));
  }
}
