package io.github.roram.cli;

import io.github.roram.cli.HelpSection.In;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.Stores;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code roram}: picks the subcommand, and says how it went with its exit code. */
@Command(
    name = "roram",
    versionProvider = RoramCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    header = "Storage that hides what you read, what you write, and where.",
    description = {
      "",
      "The store sees sealed blocks and the size of each access. It does not see the data, the"
          + " addresses, or whether an access reads or writes. roram demo shows what that costs, on"
          + " real file-server traces.",
      "",
      "roram COMMAND -h shows a command's essential options, roram COMMAND --help all of them, and"
          + " roram help TOPIC what commands have in common: store, keys, schemes, sizes.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram demo",
      "  roram create file:/data/vault --blocks 2^18 --key-file my.key --new-key",
      "  roram import file:/data/vault --in disk.img --key-file my.key",
      "  roram read file:/data/vault --offset 1M --length 4K --out x --key-file my.key",
      "  roram help replay"
    })
public final class RoramCommand implements Callable<Integer> {

  /** The commands that are always there, in the order in which help lists them. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          CreateCommand.class,
          InfoCommand.class,
          ReadCommand.class,
          WriteCommand.class,
          ImportCommand.class,
          ExportCommand.class,
          MapCommand.class,
          VerifyCommand.class,
          RecoverCommand.class,
          PasswdCommand.class,
          RekeyCommand.class,
          CloneCommand.class,
          GrowCommand.class,
          BackupCommand.class,
          RestoreCommand.class,
          SalvageCommand.class,
          DoctorCommand.class,
          CheckEngineCommand.class,
          ServerCommand.class,
          VolumesCommand.class,
          ProxyCommand.class,
          NbdCommand.class,
          MountCommand.class,
          HelpCommand.class,
          AutoComplete.GenerateCompletion.class,
          ManCommand.class,
          LoadClassesCommand.class);

  /** Labels of arguments that are files, to be read or written. */
  private static final Set<String> FILES = Set.of("FILE", "TRACE");

  /** Options for files that are written, most of them once all is done. */
  private static final Set<String> RESULTS = Set.of("--json", "--report", "--out", "--record");

  private final Environment environment;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean version;

  @In(HelpSection.ALWAYS)
  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Show errors only: no progress, no notes.")
  private boolean quiet;

  @In(HelpSection.ALWAYS)
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "If the command fails, print the stack trace.")
  private boolean debug;

  private RoramCommand(Environment environment) {
    this.environment = environment;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(Environment.ofProcess(), arguments));
  }

  /** Runs the command and returns its exit code. */
  static int run(Environment environment, String... arguments) {
    CommandLine commandLine = commandLine(environment, needed(arguments));
    int code;
    try {
      code = commandLine.execute(arguments);
    } catch (Error e) { // which picocli passes on, out of memory above all
      code = ((FailureHandler) commandLine.getExecutionExceptionHandler()).handle(e);
    }
    if (code == ExitCodes.OK && environment.out().checkError()) {
      environment.tell(
          "roram: standard output was closed, or had no room, before the answer was written");
      return ExitCodes.FAILURE;
    }
    return code;
  }

  /**
   * Returns the commands that a command line may need: the one that it names, or all. Describing
   * all of them takes longer than most of them run.
   */
  private static List<Class<?>> needed(String... arguments) {
    if (List.of(arguments).equals(List.of("--version"))) {
      return List.of();
    }
    List<String> names =
        Stream.of(arguments)
            .filter(argument -> !argument.startsWith("-"))
            .map(argument -> argument.toLowerCase(Locale.ROOT) + "command")
            .toList();
    boolean isHelp = !names.isEmpty() && names.get(0).equals("helpcommand");
    String name = names.stream().skip(isHelp ? 1 : 0).findFirst().orElse("");
    boolean isTopic =
        HelpCommand.Topic.names().stream().anyMatch(topic -> name.equals(topic + "command"));
    if (isHelp && isTopic && names.size() == 2) {
      return List.of(HelpCommand.class);
    }
    return commands()
        .filter(each -> each.getSimpleName().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .map(
            each ->
                isHelp && each != HelpCommand.class
                    ? List.of(HelpCommand.class, each)
                    : List.<Class<?>>of(each))
        .orElseGet(() -> commands().toList());
  }

  /**
   * Returns the built-in commands, followed by those of other jars, which are loaded when needed.
   */
  private static Stream<Class<?>> commands() {
    return Stream.concat(
        COMMANDS.stream(),
        ServiceLoader.load(CommandProvider.class).stream()
            .flatMap(provider -> provider.get().commands().stream()));
  }

  /** Returns the command with all subcommands, ready to parse. */
  static CommandLine commandLine(Environment environment) {
    return commandLine(environment, commands().toList());
  }

  private static CommandLine commandLine(Environment environment, List<Class<?>> commands) {
    RoramCommand roram = new RoramCommand(environment);
    CommandLine commandLine = new CommandLine(roram);
    // Given a class, picocli would not transform the model (ExperimentHelp).
    commands.forEach(each -> commandLine.addSubcommand(new CommandLine(each)));
    FailureHandler failures = new FailureHandler(environment, () -> roram.debug);
    commandLine
        .registerConverter(Long.class, new ByteSizeConverter())
        .registerConverter(long.class, new ByteSizeConverter())
        .setOut(new PrintWriter(environment.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(environment.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        // A key or a value of a map may begin with @.
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(environment.interactive())
        .setExecutionStrategy(new OnFiles())
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures);
    explainExitCodes(commandLine);
    HelpPage.addTo(commandLine);
    if (commands.isEmpty()) {
      return commandLine;
    }
    List<StoreProvider> kinds = Stores.providers();
    for (CommandLine subcommand : commandLine.getSubcommands().values()) {
      if (subcommand.getCommand() instanceof StoreTaker taker) {
        taker.store.addTo(subcommand.getCommandSpec(), kinds);
      }
    }
    return commandLine;
  }

  private static void explainExitCodes(CommandLine commandLine) {
    commandLine
        .getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCodes.descriptions());
    commandLine.getSubcommands().values().forEach(RoramCommand::explainExitCodes);
  }

  /** Without a command, lists the commands. */
  @Override
  public Integer call() {
    spec.commandLine().usage(environment.err());
    return ExitCodes.USAGE;
  }

  /** Returns the whole command. */
  CommandLine commandLine() {
    return spec.commandLine();
  }

  /** Returns the surroundings of the command. */
  Environment environment() {
    return environment;
  }

  /** Returns whether the user wants neither progress nor notes. */
  boolean quiet() {
    return quiet;
  }

  /** Answers with a line on standard output. */
  void answer(String line) {
    environment.answer(line);
  }

  /** Tells the user something that is not an error. */
  void note(String message) {
    if (!quiet) {
      environment.tell(message);
    }
  }

  /** Shows the progress of a task of this many bytes, or -1 if their number is unknown. */
  Progress progress(String task, long bytes) {
    return Progress.start(task, Progress.BYTES, bytes, environment, quiet);
  }

  /** Shows how far something is in several stages. */
  Progress.Stages stages() {
    return new Progress.Stages(environment, quiet);
  }

  /**
   * Runs the command, unless an argument that is to be a file is a directory, or a result would
   * have none: nothing is read.
   *
   * <p>No lambda: Java's archive of classes has none of an interface of picocli's, and then leaves
   * out what the interface needs, too (class files of an old format).
   */
  private static final class OnFiles implements IExecutionStrategy {

    @Override
    public int execute(ParseResult parsed) {
      ParseResult command = parsed;
      while (command.hasSubcommand()) {
        command = command.subcommand();
      }
      CommandLine commandLine = command.commandSpec().commandLine();
      if (command.isUsageHelpRequested()) {
        commandLine.getOut().print(HelpPage.of(commandLine));
        commandLine.getOut().flush();
        return ExitCodes.OK;
      }
      Map<File, String> read = new LinkedHashMap<>();
      Map<File, String> written = new LinkedHashMap<>();
      for (ArgSpec argument : command.matchedArgs()) {
        if (FILES.contains(argument.paramLabel())) {
          String name =
              argument instanceof OptionSpec option ? option.longestName() : "the argument";
          for (String value : argument.stringValues()) {
            File file = new File(value);
            requireFile(name, value, file, commandLine);
            if (RESULTS.contains(name)) {
              requireOther(name, file, written, commandLine);
              written.put(file, name);
            } else {
              read.put(file, name);
            }
          }
        }
      }
      written.forEach((file, name) -> requireOther(name, file, read, commandLine));
      return new CommandLine.RunLast().execute(parsed);
    }

    /** Refuses an output that would replace an input, such as a key, or another output. */
    private static void requireOther(
        String name, File file, Map<File, String> others, CommandLine command) {
      others.forEach(
          (source, other) -> {
            if (isSame(source, file)) {
              throw new ParameterException(
                  command, name + ": " + file + " is the file of " + other + ", name another");
            }
          });
    }

    /**
     * Returns whether two paths are the same file; false for anything but files, such as terminals.
     */
    private static boolean isSame(File one, File other) {
      if (one.exists() != other.exists() || (one.exists() && !one.isFile())) {
        return false;
      }
      try {
        return one.getCanonicalFile().equals(other.getCanonicalFile());
      } catch (IOException e) {
        return false; // it cannot be opened either
      }
    }

    private static void requireFile(String name, String value, File file, CommandLine command) {
      if (value.isEmpty()) {
        throw new ParameterException(command, name + " is empty, name a file");
      }
      try {
        file.toPath();
      } catch (InvalidPathException e) {
        throw new ParameterException(command, name + ": " + FailureHandler.noPath(e), e);
      }
      if (file.isDirectory()) {
        throw new ParameterException(command, name + ": " + file + " is a directory, name a file");
      }
      File directory = file.getAbsoluteFile().getParentFile();
      if (RESULTS.contains(name) && directory != null && !directory.isDirectory()) {
        throw new ParameterException(
            command, name + ": there is no directory " + directory + ", create it first");
      }
    }
  }

  /** The version, as the build wrote it. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      try (InputStream in = RoramCommand.class.getResourceAsStream("version.properties")) {
        Properties properties = new Properties();
        properties.load(in);
        return new String[] {
          "roram " + properties.getProperty("version"),
          "Java " + Runtime.version() + ", " + System.getProperty("os.arch"),
          "AES-256-GCM by " + Cipher.getInstance("AES/GCM/NoPadding").getProvider().getName()
        };
      } catch (IOException e) {
        throw new UncheckedIOException("version.properties is missing in the jar", e);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every Java platform has AES-GCM", e);
      }
    }
  }
}
