package io.github.roram.cli;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.map.Entry;
import io.github.roram.map.EntryShape;
import io.github.roram.map.MapFullException;
import io.github.roram.map.ObliviousMap;
import io.github.roram.map.ObliviousSortedMap;
import io.github.roram.map.OramMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
      "Keys and values are text in UTF-8. With serve, clients of Redis use the map (GET, SET, DEL,"
          + " MGET, SETNX, INCR and others), until the command is stopped; off loopback they"
          + " use TLS and a certificate, or a token as their password. See docs/keys.md.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram map file:/data/map create --key-file my.key",
      "  roram map file:/data/map put alice 42 --key-file my.key",
      "  roram map file:/data/map get alice --key-file my.key",
      "  roram map file:/data/map serve --key-file my.key --tokens tokens \\",
      "    --listen 127.0.0.1:6379"
    })
final class MapCommand extends StoreCommand {

  /** What to do with the map. */
  enum Action {
    CREATE,
    GET,
    PUT,
    REMOVE,
    SCAN,
    SERVE
  }

  /** In place of what an argument has that is no text in the locale. */
  private static final char UNREADABLE = '\uFFFD';

  /**
   * The action of each option that does not apply to all of them; options for sharing apply to
   * serve.
   */
  private static final Map<String, Action> OF_ONE =
      Map.of(
          "--sorted",
          Action.CREATE,
          "--key-bytes",
          Action.CREATE,
          "--value-bytes",
          Action.CREATE,
          "--leaves",
          Action.SCAN);

  /** Sharing has it, but whoever opens the store uses it. */
  private static final String DURABILITY = "--durability";

  @Parameters(
      index = "1",
      paramLabel = "ACTION",
      description = "create, get, put, remove, scan or serve.")
  Action action;

  @Parameters(
      index = "2",
      paramLabel = "KEY",
      arity = "0..1",
      description = "For get, put, remove and scan, which begins with it.")
  @Nullable String key;

  @Parameters(index = "3", paramLabel = "VALUE", arity = "0..1", description = "What to put.")
  @Nullable String value;

  @Option(names = "--sorted", description = "create: a sorted map, which can be scanned.")
  boolean sorted;

  @In(HelpSection.MORE)
  @Option(
      names = "--key-bytes",
      paramLabel = "N",
      defaultValue = "32",
      description = "create: longest key (default: ${DEFAULT-VALUE}).")
  int keyBytes;

  @In(HelpSection.MORE)
  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "128",
      description = "create: longest value (default: ${DEFAULT-VALUE}).")
  int valueBytes;

  @In(HelpSection.MORE)
  @Option(
      names = "--leaves",
      paramLabel = "N",
      defaultValue = "1",
      description = "scan: how many leaves to read (default: ${DEFAULT-VALUE}).")
  int leaves;

  @Mixin SharingOptions sharing;

  @Spec CommandSpec spec;

  @Override
  OpenOptions openOptions() throws IOException {
    return sharing.in(super.openOptions());
  }

  @Override
  public Integer call() throws IOException {
    boolean keyless = action == Action.CREATE || action == Action.SERVE;
    if (keyless != (key == null) || (action == Action.PUT) != (value != null)) {
      throw new UsageException(
          "create and serve take no key, put takes a key and a value, the others take a key");
    }
    for (Action other : Action.values()) {
      if (other != action) {
        String why = "is for " + other.name().toLowerCase(Locale.ROOT) + ": leave it out";
        IdleOptions.refuse(spec, option -> onlyFor(option) == other, why);
      }
    }
    if (action == Action.SERVE) {
      sharing.serve(this, ProxyService.Front.MAP);
      return ExitCodes.OK;
    }
    try (StoreSession session = open()) {
      if (key == null) {
        create(session.oram());
      } else {
        use(OramMap.open(session.oram()), key);
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (MapFullException e) {
      throw new IOException(e.getMessage(), e);
    }
    return ExitCodes.OK;
  }

  private static @Nullable Action onlyFor(OptionSpec option) {
    String name = option.longestName();
    boolean serves = IdleOptions.isOf(SharingOptions.class, option) && !name.equals(DURABILITY);
    return serves ? Action.SERVE : OF_ONE.get(name);
  }

  @SuppressWarnings("ReturnValueIgnored") // it is in the store
  private void create(Oram oram) throws IOException {
    EntryShape shape = new EntryShape(keyBytes, valueBytes);
    if (sorted) {
      ObliviousSortedMap.create(oram, shape);
      roram.answer("Made a sorted map in " + storeUri + ".");
    } else {
      long capacity = ObliviousMap.create(oram, shape).capacity();
      roram.answer("Made a map in " + storeUri + ", with room for " + capacity + " keys.");
    }
  }

  private void use(OramMap map, String name) throws IOException {
    byte[] of = bytes(name);
    if (action == Action.SCAN) {
      if (!(map instanceof ObliviousSortedMap sorted)) {
        throw new UsageException("the map has no order; make one with create --sorted to scan it");
      }
      for (Entry entry : sorted.scan(of, leaves).entries()) {
        roram.answer(text(entry.key()) + " = " + text(entry.value()));
      }
      return;
    }
    byte @Nullable [] next = value == null ? null : bytes(value);
    Optional<byte[]> before = map.update(of, held -> action == Action.GET ? held : next);
    if (action == Action.GET) {
      roram.answer(
          text(before.orElseThrow(() -> new IOException("there is no key " + name + " in it"))));
    }
  }

  /**
   * Returns a text as bytes. Characters outside the locale would all be decoded as the same one, so
   * that different keys would become equal.
   */
  private static byte[] bytes(String text) {
    if (text.indexOf(UNREADABLE) >= 0) {
      throw new UsageException(
          "'"
              + text
              + "' has characters that cannot be read in this locale; use one with UTF-8, as in"
              + " LC_ALL=C.UTF-8");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
