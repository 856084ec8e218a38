/** Maps whose storage learns neither the keys and values nor which keys are accessed. */
module io.github.roram.map {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;

  exports io.github.roram.map;
}
