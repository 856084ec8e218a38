/** Contract suites and faulty stores, for those who write a store, a vault or a scheme. */
module io.github.roram.testkit {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;

  exports io.github.roram.testkit;
}
