package io.github.roram.mutants;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests in a process of their own, whatever their tags: {@code a.b.CTest#method} each. */
final class Tests {

  static final int PASSED = 0;

  /** At least one found something. */
  static final int FAILED = 3;

  /** None ran, or the code under test could not be run. */
  static final int BROKEN = 4;

  private Tests() {}

  /** Ends the process with the outcome. */
  public static void main(String[] names) throws ClassNotFoundException {
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (String name : names) {
      selectors.add(selector(name));
    }
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
    Outcome outcome = new Outcome(System.out);
    LauncherFactory.create().execute(request, outcome);
    System.exit(outcome.exitCode());
  }

  /** Whatever a method's parameters are. */
  private static DiscoverySelector selector(String name) throws ClassNotFoundException {
    int hash = name.indexOf('#');
    if (hash < 0) {
      return DiscoverySelectors.selectClass(name);
    }
    Class<?> tests = Class.forName(name.substring(0, hash));
    return Arrays.stream(tests.getDeclaredMethods())
        .filter(method -> method.getName().equals(name.substring(hash + 1)))
        .findFirst()
        .map(method -> DiscoverySelectors.selectMethod(tests, method))
        .orElseThrow(() -> new IllegalArgumentException("there is no test " + name));
  }

  private static final class Outcome implements TestExecutionListener {
    private final PrintStream out;
    private int ran;
    private int failed;
    private boolean broken;

    Outcome(PrintStream out) {
      this.out = out;
    }

    int exitCode() {
      if (broken || ran == 0) {
        return BROKEN;
      }
      return failed == 0 ? PASSED : FAILED;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      ran += test.isTest() ? 1 : 0;
      result
          .getThrowable()
          .filter(thrown -> result.getStatus() == TestExecutionResult.Status.FAILED)
          .ifPresent(thrown -> found(test, thrown));
    }

    /** Whatever fails counts; a fault that does not fit the other classes has found nothing. */
    private void found(TestIdentifier test, Throwable thrown) {
      failed++;
      for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
        broken |= cause instanceof LinkageError;
      }
      out.println(test.getDisplayName() + ": " + thrown.toString().lines().limit(3).toList());
    }
  }
}
