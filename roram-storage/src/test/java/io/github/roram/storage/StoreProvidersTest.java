package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers are found by class loaders, and declare what their stores are. */
final class StoreProvidersTest {

  @TempDir Path directory;

  /** Stores in memory of a scheme of their own. */
  public static class Extra implements StoreProvider {
    @Override
    public String scheme() {
      return "extra";
    }

    @Override
    public String form() {
      return "extra:";
    }

    @Override
    public String about() {
      return "a test's store";
    }

    @Override
    public List<StoreOption<?>> options() {
      return List.of();
    }

    @Override
    public StoreTraits traits(String location, StoreOptions options) {
      return new StoreTraits(
          1, StoreTraits.Writes.APPENDED, 1, 1, StoreTraits.Cost.CALL, false, false);
    }

    @Override
    public OpenedStore create(String location, long capacityBytes, StoreOptions options) {
      return new OpenedStore(new MemoryStore(capacityBytes), ClientVault.inMemory());
    }

    @Override
    public OpenedStore open(String location, StoreOptions options) throws IOException {
      throw new NoSuchFileException(location);
    }

    @Override
    public boolean exists(String location, StoreOptions options) {
      return false;
    }

    @Override
    public void delete(String location, StoreOptions options) throws IOException {
      throw new NoSuchFileException(location);
    }
  }

  /** Takes the scheme of another. */
  public static final class Usurper extends Extra {
    @Override
    public String scheme() {
      return "mem";
    }
  }

  @FunctionalInterface
  private interface Check {
    void run() throws IOException;
  }

  private void withProvider(Class<? extends StoreProvider> type, Check check) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF").resolve("services"));
    Files.writeString(services.resolve(StoreProvider.class.getName()), type.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] place = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, before)) {
      thread.setContextClassLoader(loader);
      check.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void oneOfTheThreadsClassLoaderIsFoundBesideOurs() throws IOException {
    withProvider(
        Extra.class,
        () -> {
          Stores.create("EXTRA:", 100, StoreOptions.defaults()).close();
          assertThat(Stores.providers())
              .extracting(StoreProvider::scheme)
              .contains("extra", "file", "mem");
        });
    assertThatThrownBy(() -> Stores.provider("extra:")).hasMessageContaining("unknown kind");
  }

  @Test
  void oursAreFoundWithoutTheThreadsClassLoader() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertThat(Stores.provider("mem:").scheme()).isEqualTo("mem");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void twoOfOneSchemeAreRefused() throws IOException {
    withProvider(
        Usurper.class,
        () ->
            assertThatThrownBy(() -> Stores.provider("file:x"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("\"mem\" are provided by")
                .hasMessageContaining(Usurper.class.getName()));
  }

  @Test
  void traitsTellWhatIsSeenAndWhatLasts() {
    StoreOptions none = StoreOptions.defaults();
    assertThat(Stores.traits("mem:", none).lasting()).isFalse();
    assertThat(Stores.traits("file:x", none).lasting()).isTrue();
    assertThat(Stores.traits("file:x", none).readsSeen()).isFalse();
    StoreOption<?> depth =
        Stores.provider("file:x").options().stream()
            .filter(option -> option.name().equals("read-depth"))
            .findFirst()
            .orElseThrow();
    assertThat(Stores.traits("file:x", with(none, depth, "3")).requests()).isEqualTo(3);
    assertThatThrownBy(
            () ->
                new StoreTraits(
                    1, StoreTraits.Writes.IN_PLACE, 1, 0, StoreTraits.Cost.CALL, false, true))
        .hasMessageContaining("requests of a store is 0");
  }

  private static <T> StoreOptions with(StoreOptions options, StoreOption<T> option, String text) {
    return options.with(option, option.parse("it", text, Path.of("")));
  }

  @Test
  void secretsAreNotShown() {
    StoreOption<Integer> secret = StoreOption.number("pin", 1, 9, "Opens it.").secret();
    StoreOption<String> name = StoreOption.text("name", "NAME", "Whose it is.");
    StoreOptions options = StoreOptions.defaults().with(secret, 7).with(name, "me");
    assertThat(options).hasToString("{pin=***, name=me}");
    assertThatThrownBy(() -> secret.parse("pin", "4711", Path.of("")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("pin cannot be read as N");
  }

  @Test
  void marksOfAnOptionAddUp() {
    StoreOption<Integer> both = StoreOption.number("pin", 1, 9, "Opens it.").secret().rare();
    assertThat(both.isSecret()).isTrue();
    assertThat(both.isRare()).isTrue();
    assertThat(StoreOption.number("pin", 1, 9, "Opens it.").isSecret()).isFalse();
  }

  @Test
  void theLaterOfTwoValuesHolds() {
    StoreOption<String> name = StoreOption.text("name", "NAME", "Whose it is.");
    StoreOptions mine = StoreOptions.defaults().with(name, "me");
    StoreOptions yours = StoreOptions.defaults().with(name, "you").withStateDirectory(directory);
    assertThat(mine.and(yours)).isEqualTo(yours);
    assertThat(yours.and(mine).get(name)).contains("me");
    assertThat(yours.withStateDirectory(null).stateDirectory()).isNull();
    assertThatThrownBy(() -> StoreOption.text("Name", "NAME", ""))
        .hasMessageContaining("\"Name\", must match");
  }
}
