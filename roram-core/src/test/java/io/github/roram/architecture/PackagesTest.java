package io.github.roram.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.github.roram.Oram;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the packages of roram-core depend on each other. */
class PackagesTest {

  private static final String ROOT = "io.github.roram";

  /** Packages of other modules, where all are compiled to one place. */
  private static final List<String> OTHERS =
      List.of("storage", "netserver", "bench", "auditor", "cli");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .importUrl(Oram.class.getProtectionDomain().getCodeSource().getLocation())
          .that(
              DescribedPredicate.describe(
                  "are of roram-core",
                  type -> OTHERS.stream().noneMatch(name -> isWithin(type, ROOT + "." + name))));

  private static boolean isWithin(JavaClass type, String packageName) {
    return (type.getPackageName() + ".").startsWith(packageName + ".");
  }

  /** The root package is a slice like the others. */
  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          return isWithin(type, ROOT)
              ? SliceIdentifier.of(type.getPackageName())
              : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
          return "packages, the root one included";
        }
      };

  @Test
  void haveNoCycles() {
    slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(CORE);
  }

  /** What users hold knows the contracts of stores, and nothing of what is behind it. */
  @Test
  void theRootKnowsTheStoreContractsOnly() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are of packages behind it",
                type ->
                    isWithin(type, ROOT)
                        && !type.getPackageName().equals(ROOT)
                        && !isWithin(type, ROOT + ".store")))
        .check(CORE);
  }

  /** Bouncy Castle is for passphrases alone, which are an artifact of their own. */
  @Test
  void onlyPassphrasesNeedBouncyCastle() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bouncycastle..", ROOT + ".passphrase")
        .check(CORE);
  }
}
