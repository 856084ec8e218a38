/** Maps whose storage learns neither keys nor values, nor which are asked for. */
module io.github.roram.map {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;

  exports io.github.roram.map;
}
