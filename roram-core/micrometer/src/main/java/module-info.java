/** Metrics of an ORAM, for Micrometer. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer has no descriptor
module io.github.roram.micrometer {
  requires transitive io.github.roram;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports io.github.roram.micrometer;
}
