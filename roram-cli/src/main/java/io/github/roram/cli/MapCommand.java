package io.github.roram.cli;

import io.github.roram.Oram;
import io.github.roram.map.Entry;
import io.github.roram.map.EntryShape;
import io.github.roram.map.MapFullException;
import io.github.roram.map.ObliviousMap;
import io.github.roram.map.ObliviousSortedMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code roram map}: values by key, in a store of their own. */
@Command(
    name = "map",
    header = "Keep values by key in a store.",
    description = {
      "",
      "The map takes the whole of a new store. The store learns that there was an operation and"
          + " nothing of keys or values: get, put, remove and a miss look the same. A scan of a"
          + " sorted map shows how many leaves it reads; opening one shows a pass over the store.",
      "",
      "Keys and values are text in UTF-8.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram map file:/data/map create --key-file my.key",
      "  roram map file:/data/map put alice 42 --key-file my.key",
      "  roram map file:/data/map get alice --key-file my.key"
    })
final class MapCommand extends StoreCommand {

  /** What is done. */
  enum Action {
    CREATE,
    GET,
    PUT,
    REMOVE,
    SCAN
  }

  @Parameters(index = "1", paramLabel = "ACTION", description = "create, get, put, remove or scan.")
  Action action;

  @Parameters(
      index = "2",
      paramLabel = "KEY",
      arity = "0..1",
      description = "For all but create; scan begins with it.")
  @Nullable String key;

  @Parameters(index = "3", paramLabel = "VALUE", arity = "0..1", description = "What to put.")
  @Nullable String value;

  @Option(names = "--sorted", description = "create: a sorted map, which can be scanned.")
  boolean sorted;

  @Option(
      names = "--key-bytes",
      paramLabel = "N",
      defaultValue = "32",
      description = "create: longest key (default: ${DEFAULT-VALUE}).")
  int keyBytes;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "128",
      description = "create: longest value (default: ${DEFAULT-VALUE}).")
  int valueBytes;

  @Option(
      names = "--leaves",
      paramLabel = "N",
      defaultValue = "1",
      description = "scan: how many leaves to read (default: ${DEFAULT-VALUE}).")
  int leaves;

  @Override
  public Integer call() throws IOException {
    if ((action == Action.CREATE) != (key == null) || (action == Action.PUT) != (value != null)) {
      throw new UsageException(
          "create takes no key, put takes a key and a value, the others take a key");
    }
    try (StoreSession session = open()) {
      if (key == null) {
        create(session.oram());
      } else if (ObliviousSortedMap.isIn(session.oram())) {
        use(ObliviousSortedMap.open(session.oram()), bytes(key));
      } else if (action == Action.SCAN) {
        throw new UsageException("the map has no order; make one with create --sorted to scan it");
      } else {
        use(ObliviousMap.open(session.oram())::update, bytes(key));
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (MapFullException e) {
      throw new IOException(e.getMessage(), e);
    }
    return ExitCodes.OK;
  }

  @SuppressWarnings("ReturnValueIgnored") // it is in the store
  private void create(Oram oram) throws IOException {
    EntryShape shape = new EntryShape(keyBytes, valueBytes);
    if (sorted) {
      ObliviousSortedMap.create(oram, shape, 0);
      roram.environment().answer("Made a sorted map in " + storeUri + ".");
    } else {
      long capacity = ObliviousMap.create(oram, shape).capacity();
      roram
          .environment()
          .answer("Made a map in " + storeUri + ", with room for " + capacity + " keys.");
    }
  }

  /** An operation of either map. */
  @FunctionalInterface
  private interface Update {
    Optional<byte[]> make(byte[] key, UnaryOperator<byte @Nullable []> change) throws IOException;
  }

  private void use(ObliviousSortedMap map, byte[] from) throws IOException {
    if (action != Action.SCAN) {
      use(map::update, from);
      return;
    }
    for (Entry entry : map.scan(from, leaves).entries()) {
      roram.environment().answer(text(entry.key()) + " = " + text(entry.value()));
    }
  }

  private void use(Update map, byte[] of) throws IOException {
    byte @Nullable [] next = value == null ? null : bytes(value);
    Optional<byte[]> before = map.make(of, held -> action == Action.GET ? held : next);
    if (action == Action.GET) {
      roram
          .environment()
          .answer(
              text(before.orElseThrow(() -> new IOException("there is no key " + key + " in it"))));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
