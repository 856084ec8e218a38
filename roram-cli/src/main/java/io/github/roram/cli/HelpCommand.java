package io.github.roram.cli;

import io.github.roram.Scheme;
import io.github.roram.storage.Stores;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram help}: everything about a command, or about a topic. */
@Command(
    name = "help",
    header = "Explain a command or a topic.",
    description = {
      "",
      "Topics: store (where a store is), keys (what unlocks it), schemes (the kinds of ORAM), sizes"
          + " (how sizes and numbers are written).",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram help keys", "  roram help create", "  roram help server init-certs"})
final class HelpCommand implements Callable<Integer> {

  /** What several commands have in common, for {@code roram help TOPIC}. */
  enum Topic {
    STORE,
    KEYS,
    SCHEMES,
    SIZES;

    private static final String STORE_TEXT =
        """
        STORE is a URI:

        KINDS
        A store has two halves: the sealed blocks, which can be anywhere, and the
        client's records, which say which blocks are current. You need both.
        With file: the records are in vault/ in the store's directory, or in
        --state-dir. With all others they are on this machine, in --state-dir or below
        ~/.local/state/roram; or in an engine of objects, with --vault. With mem:
        everything ends with the command; it is for measurements.

        An older copy of one half is refused. Only --rollback-guard, a file kept
        somewhere else, notices that both halves were replaced with older copies.

        read, write, import, export and load also take proxy://HOST:PORT, where a
        roram proxy listens.

        Options of a store can be given in three places; the first one counts:
          on the command line          --ca ca.crt
          in a TOML file               --store-settings FILE, with ca = "ca.crt"
          in environment variables     RORAM_CA=ca.crt
        """;

    private static final String KEYS_TEXT =
        """
        The data is sealed with a random master key. The client's records hold that
        key, locked with one of these:

          --key-file FILE         a key: 32 raw bytes or 64 hexadecimal digits
          --key-env NAME          the same in hexadecimal, in an environment variable
          --passphrase-file FILE  a passphrase: the first line of the file
          none of these           roram asks for a passphrase

        roram create --key-file FILE --new-key generates a key and writes it to FILE.
        Files with keys or passphrases must be readable by you alone (chmod 600).

        If you lose the key or the passphrase, the data is lost. Keep a copy.

        roram passwd changes what unlocks the store. If a copy of the client's records
        was stolen together with the old key, roram rekey replaces the master key, too.
        """;

    private static final String SCHEMES_TEXT =
        """
        --scheme chooses the construction of a new store; it stays for the life of the
        store.

          roram         rORAM: reads a range of blocks in one access, with few seeks
          path-batched  Path ORAM whose evictions are batched: single blocks
          path          Path ORAM as published: single blocks, no journal
          tao           TaoORAM: single blocks, for many clients at the same time
          ring          Ring of large buckets: single blocks, fewest bytes, more memory
          detwo         DetWoORAM: hides what is written, not what is read; for an
                        observer who sees only copies of the store, and far cheaper

        What each scheme can do, those of added jars included:

        TRAITS
        Without a journal, a store is only usable after a crash if it was closed.
        Choosing: docs/planning.md, and roram plan.
        """;

    private static final String SIZES_TEXT =
        """
        Sizes are bytes. 4096, 2^12, 4K, 4KB and 4KiB are the same size: K, M, G and T
        are powers of 1024.
        Numbers of blocks and of requests take the same suffixes: 256K is 2^18.

        A store has --blocks N of --block-size B bytes: 2^18 blocks of 4096 bytes hold
        1 GiB. N is at most 2^30. B is a multiple of 512, up to 64K.
        The store takes several times as much space as its data; its files grow as it
        is written. roram info says how much space it can take at most.

        --offset and --length count bytes of the data and can be any bytes. An access
        reads or writes at most --max-range blocks; longer requests take several. Each
        access is rounded up to the next size class, 2^I blocks; the store sees that
        class. Fewer --classes show less and read more than was asked for.
        """;

    static List<String> names() {
      return Arrays.stream(values()).map(Topic::id).toList();
    }

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the whole text, in lines of up to 80 characters. */
    String text() {
      return switch (this) {
        case STORE -> STORE_TEXT.replace("KINDS\n", kinds());
        case KEYS -> KEYS_TEXT;
        case SCHEMES -> SCHEMES_TEXT.replace("TRAITS\n", schemes());
        case SIZES -> SIZES_TEXT;
      };
    }

    /** Returns the available kinds of stores, one per line. */
    private static String kinds() {
      return Stores.providers().stream()
          .map(kind -> "  %-24s %s%n".formatted(kind.form(), kind.about()))
          .collect(Collectors.joining());
    }

    private static String schemes() {
      return Scheme.all().stream()
          .map(
              scheme ->
                  "  %-13s %s%n"
                      .formatted(
                          scheme.id(),
                          scheme.traits().stream()
                              .sorted()
                              .map(Topic::words)
                              .collect(Collectors.joining(", "))))
          .collect(Collectors.joining());
    }

    private static String words(Scheme.Trait trait) {
      return switch (trait) {
        case JOURNALLED -> "journal";
        case REKEYABLE -> "rekey";
        case WHOLE_RANGES -> "whole ranges";
        case HIDES_WRITES_ALONE -> "hides writes only";
        case TRIMS -> "trim";
        case WRITES_ONCE -> "objects";
      };
    }
  }

  @ParentCommand RoramCommand roram;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "A command, or a topic: store, keys, schemes, sizes.")
  List<String> names = List.of();

  @Override
  public Integer call() {
    Environment environment = roram.environment();
    Optional<Topic> topic =
        Arrays.stream(Topic.values()).filter(each -> names.equals(List.of(each.id()))).findFirst();
    if (topic.isPresent()) {
      environment.answerLines(topic.get().text());
      return ExitCodes.OK;
    }
    CommandLine found = roram.commandLine();
    for (String name : names) {
      CommandLine below = found.getSubcommands().get(name);
      if (below == null) {
        throw new UsageException(
            "there is no command or topic '"
                + String.join(" ", names)
                + "'; commands: "
                + shown(found)
                + "; topics: "
                + String.join(", ", Topic.names()));
      }
      found = below;
    }
    environment.out().print(found.getUsageMessage());
    environment.out().flush();
    return ExitCodes.OK;
  }

  private static String shown(CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .filter(below -> !below.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }
}
