package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramException;
import io.github.roram.cli.StopSignal.InterruptedTransferException;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every exception into one line on standard error and an exit code. */
final class FailureHandler implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private static final String INDENT = "    ";

  /** Commands that are known where roram-lab is installed. */
  private static final Set<String> LABORATORY =
      Set.of("demo", "replay", "load", "plan", "experiment", "audit");

  private final Environment environment;
  private final BooleanSupplier debug;

  FailureHandler(Environment environment, BooleanSupplier debug) {
    this.environment = environment;
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    environment.tell("roram: " + e.getMessage());
    if (e instanceof UnmatchedArgumentException unmatched) {
      if (LABORATORY.contains(unmatched.getUnmatched().get(0))) {
        environment.tell("It is a command of roram-lab: add its jars to roram's folder plugins.");
        return ExitCodes.USAGE;
      }
      UnmatchedArgumentException.printSuggestions(unmatched, command.getErr());
    }
    environment.tell("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCodes.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception e, CommandLine commandLine, ParseResult parseResult) {
    return handle(e);
  }

  /** Tells a failure and returns its exit code. */
  int handle(Throwable e) {
    if (!(e instanceof InterruptedTransferException)) {
      environment.tell("roram: " + message(e));
    }
    if (debug.getAsBoolean()) {
      printTrace(e);
    }
    return exitCode(e);
  }

  /** Causes may quote what a server sent, which is not let at the terminal as it is. */
  private void printTrace(Throwable e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    trace.toString().lines().map(line -> line.replace("\t", INDENT)).forEach(environment::tell);
  }

  private static int exitCode(Throwable e) {
    if (e instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
      return exitCode(wrapped.getCause());
    }
    if (e instanceof UsageException
        || e instanceof ConfigurationException
        || e instanceof InvalidPathException) {
      return ExitCodes.USAGE;
    }
    if (e instanceof IntegrityException || e instanceof StoreDamagedException) {
      return ExitCodes.DATA;
    }
    return e instanceof StoreLockedException ? ExitCodes.BUSY : ExitCodes.FAILURE;
  }

  private static String message(Throwable e) {
    if (e instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
      return message(wrapped.getCause());
    }
    if (e instanceof FileSystemException file && file.getReason() == null) {
      return file.getMessage() + ": " + reason(file);
    }
    if (e instanceof InvalidPathException path) {
      return noPath(path);
    }
    if (e instanceof OutOfMemoryError) {
      return notEnoughMemory(String.valueOf(e.getMessage()));
    }
    boolean expected =
        e instanceof OramException || e instanceof UsageException || e instanceof IOException;
    if (expected && e.getMessage() != null) {
      return e.getMessage();
    }
    return "unexpected " + e + "; please report this with the output of the same command --debug";
  }

  /** Returns which kind of memory has run out and how to get more, according to Java's message. */
  private static String notEnoughMemory(String what) {
    String told = "there is not enough memory (" + what + ")";
    if (what.contains("direct buffer")) {
      return told + "; allow more, as in RORAM_JAVA_OPTS=-XX:MaxDirectMemorySize=16g";
    }
    if (what.contains("thread")) {
      return told + "; the system allows no more threads, or has no memory for them";
    }
    return told
        + ": Java's heap may have "
        + ByteSizeConverter.format(Runtime.getRuntime().maxMemory())
        + "; allow more, as in RORAM_JAVA_OPTS=-Xmx16g, or make stores with --client-memory";
  }

  /**
   * Returns a message about text that cannot name a file; in the locale C that is everything but
   * ASCII.
   */
  static String noPath(InvalidPathException e) {
    return "'"
        + e.getInput()
        + "' names no file: "
        + e.getReason()
        + "; use another name, or a locale with UTF-8, as in LC_ALL=C.UTF-8";
  }

  /** Returns the reason of an exception whose message is the file's name alone. */
  private static String reason(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e instanceof FileAlreadyExistsException
        ? "exists already"
        : e.getClass().getSimpleName();
  }
}
