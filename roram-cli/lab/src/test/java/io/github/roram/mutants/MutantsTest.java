package io.github.roram.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults in the tree's own sources, one at a time, which a named test or an audit must find. {@code
 * -Droram.mutant=REGEX} runs those alone in whose name that is found.
 */
final class MutantsTest {

  private static final int LEAST = 30;
  private static final int AT_ONCE = 2;
  private static final Pattern ONLY = Pattern.compile(System.getProperty("roram.mutant", ""));

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** In every build, so that they stay what they say. */
  @Test
  void eachFitsItsSource() throws IOException {
    List<Mutant> mutants = Mutant.all();
    assertThat(mutants).hasSizeGreaterThanOrEqualTo(LEAST);
    assertThat(mutants).extracting(Mutant::id).doesNotHaveDuplicates();
    for (Mutant mutant : mutants) {
      assertThat(mutant.source(Workshop.ROOT)).as(mutant.id()).isNotEmpty();
      assertThat(mutant.breaks()).as(mutant.id()).isNotBlank();
      assertThat(mutant.caughtBy()).as(mutant.id()).isNotEmpty();
    }
  }

  @TestFactory
  @Tag("gate")
  Stream<DynamicTest> theShortOnesAreCaught() throws IOException {
    return caught(Mutant::isShort);
  }

  @TestFactory
  @Tag("mutants")
  Stream<DynamicTest> allAreCaught() throws IOException {
    return caught(mutant -> true);
  }

  private Stream<DynamicTest> caught(Predicate<Mutant> wanted) throws IOException {
    Workshop workshop = new Workshop(directory);
    List<Mutant> mutants =
        Mutant.all().stream().filter(wanted).filter(m -> ONLY.matcher(m.id()).find()).toList();
    Map<Path, List<String>> names =
        mutants.stream()
            .flatMap(mutant -> mutant.caughtBy().stream())
            .distinct()
            .collect(Collectors.groupingBy(workshop::module));
    Map<String, CompletableFuture<Void>> checks = new LinkedHashMap<>();
    mutants.forEach(mutant -> checks.put(mutant.toString(), begin(() -> check(mutant, workshop))));
    names.forEach(
        (module, found) ->
            checks.put("no mutant: " + module, begin(() -> assertSound(found, workshop))));
    return checks.entrySet().stream()
        .map(check -> DynamicTest.dynamicTest(check.getKey(), () -> check.getValue().get()));
  }

  private CompletableFuture<Void> begin(Runnable check) {
    return CompletableFuture.runAsync(check, threads);
  }

  private static void check(Mutant mutant, Workshop workshop) {
    Path classes = workshop.compile(mutant);
    for (String name : mutant.caughtBy()) {
      Workshop.Outcome outcome = workshop.run(List.of(name), Stream.of(classes));
      assertThat(outcome.exitCode())
          .as("%s: not caught by %s, which said%n%s", mutant, name, outcome.output())
          .isEqualTo(Tests.FAILED);
    }
  }

  /** What is to find a mutant finds nothing without it. Tests of a module share a process. */
  private static void assertSound(List<String> names, Workshop workshop) {
    List<List<String>> runs = new ArrayList<>();
    List<String> tests = new ArrayList<>();
    for (String name : names) {
      if (Workshop.isCommand(name)) {
        runs.add(List.of(name));
      } else {
        tests.add(name);
      }
    }
    if (!tests.isEmpty()) {
      runs.add(tests);
    }
    for (List<String> run : runs) {
      Workshop.Outcome outcome = workshop.run(run, Stream.empty());
      assertThat(outcome.exitCode())
          .as("without a mutant, %s said%n%s", run, outcome.output())
          .isEqualTo(Tests.PASSED);
    }
  }
}
