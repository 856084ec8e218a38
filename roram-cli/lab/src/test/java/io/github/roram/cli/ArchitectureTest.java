package io.github.roram.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import ch.qos.logback.classic.spi.Configurator;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Dependencies point one way: lab → {cli, auditor → bench} → netserver → net → storage → core. */
@AnalyzeClasses(
    packages = "io.github.roram",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
final class ArchitectureTest {

  private static final String STORAGE = "io.github.roram.storage..";
  private static final String CLIENT = "io.github.roram.client..";
  private static final String BENCH = "io.github.roram.bench..";
  private static final String CLI = "io.github.roram.cli..";
  private static final String AUDITOR = "io.github.roram.auditor..";

  private static final String JMH = "io.github.roram.jmh..";
  private static final String NETSERVER = "io.github.roram.netserver..";
  private static final String INTAKE = "io.github.roram.intake..";
  private static final String NBD = "io.github.roram.nbd..";
  private static final String PROXY = "io.github.roram.proxy..";
  private static final String RESP = "io.github.roram.resp..";
  private static final String JSON = "io.github.roram.json..";

  @ArchTest
  static final ArchRule CORE_STANDS_ALONE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              STORAGE, CLIENT, BENCH, AUDITOR, CLI, NETSERVER, INTAKE, NBD, PROXY, RESP, JSON, JMH)
          .and()
          .doNotHaveFullyQualifiedName("io.github.roram.testkit.Ports") // of servers under test
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              STORAGE,
              CLIENT,
              BENCH,
              AUDITOR,
              CLI,
              NETSERVER,
              INTAKE,
              NBD,
              PROXY,
              RESP,
              "java.net..",
              "io.netty..",
              "picocli..");

  @ArchTest
  static final ArchRule STORAGE_KNOWS_CORE_ONLY =
      noClasses()
          .that()
          .resideInAnyPackage(STORAGE, CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(BENCH, AUDITOR, CLI, NETSERVER, INTAKE, NBD);

  @ArchTest
  static final ArchRule NETSERVER_KNOWS_STORAGE_ONLY =
      noClasses()
          .that()
          .resideInAPackage(NETSERVER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(BENCH, AUDITOR, CLI, "picocli..");

  /** Block devices are on the trusted side, and need no block server, nor any kind of stores. */
  @ArchTest
  static final ArchRule NBD_KNOWS_CORE_AND_TLS =
      noClasses()
          .that()
          .resideInAPackage(NBD)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              BENCH,
              AUDITOR,
              CLI,
              NETSERVER,
              "picocli..",
              "io.github.roram.storage",
              "io.github.roram.storage.file..",
              "io.github.roram.storage.memory..",
              "io.github.roram.storage.remote..");

  /** Proxies and maps are on the trusted side, and need nothing of any kind of stores. */
  @ArchTest
  static final ArchRule PROXY_KNOWS_CORE_AND_WHO_CLIENTS_ARE =
      noClasses()
          .that()
          .resideInAnyPackage(PROXY, RESP)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              BENCH,
              AUDITOR,
              CLI,
              NBD,
              "picocli..",
              "io.github.roram.storage",
              "io.github.roram.storage.file..",
              "io.github.roram.storage.memory..",
              "io.github.roram.storage.remote");

  /** What the servers share knows none of them. */
  @ArchTest
  static final ArchRule INTAKE_KNOWS_NO_SERVER =
      noClasses()
          .that()
          .resideInAPackage(INTAKE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(NETSERVER, NBD, PROXY, RESP);

  /** The protocol needs neither the settings of an operated server nor its metrics. */
  @ArchTest
  static final ArchRule SERVER_STANDS_WITHOUT_ITS_OPERATION =
      noClasses()
          .that()
          .resideInAPackage("io.github.roram.netserver")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.github.roram.netserver.(*)..", "io.micrometer..", "org.tomlj..");

  @ArchTest
  static final ArchRule BENCH_KNOWS_NO_COMMANDS =
      noClasses()
          .that()
          .resideInAPackage(BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLI, "picocli..");

  /** What is measured over a server is said by the experiments that start one. */
  @ArchTest
  static final ArchRule TWO_EXPERIMENTS_START_SERVERS =
      noClasses()
          .that()
          .resideInAPackage(BENCH)
          .and()
          .resideOutsideOfPackages(
              "io.github.roram.bench.device..", "io.github.roram.bench.stripes..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(NETSERVER, NBD);

  /** Benchmarks are on no other module's class path. */
  @ArchTest
  static final ArchRule NOBODY_KNOWS_BENCHMARKS =
      noClasses()
          .that()
          .resideOutsideOfPackage(JMH)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(JMH, "org.openjdk.jmh..");

  @ArchTest
  static final ArchRule BENCH_KNOWS_NO_AUDITOR =
      noClasses()
          .that()
          .resideInAPackage(BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(AUDITOR);

  /** It audits what users have: the public API, and no more of the ORAMs than that. */
  @ArchTest
  static final ArchRule AUDITOR_KNOWS_THE_API_ONLY =
      noClasses()
          .that()
          .resideInAPackage(AUDITOR)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              CLI,
              "picocli..",
              "io.github.roram.engine..",
              "io.github.roram.range..",
              "io.github.roram.linked..",
              "io.github.roram.tree..",
              "io.github.roram.journal..");

  /** Every package of every module is a slice, roots included. */
  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().assignedFrom(new EveryPackage()).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule COMMANDS_ARE_INTERNAL =
      classes()
          .that()
          .resideInAPackage(CLI)
          .and()
          .doNotHaveSimpleName("RoramCommand")
          .and()
          .areNotAssignableTo(CommandProvider.class)
          .and()
          .areNotAssignableTo(Configurator.class)
          .should()
          .notBePublic();

  @ArchTest
  static final ArchRule NOBODY_PRINTS_BUT_THE_COMMAND =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI, JMH)
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  /** Tests of other modules come as jars. */
  static final class NoTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final class EveryPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().startsWith("io.github.roram")
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages, those of module roots included";
    }
  }
}
