/** ORAMs as block devices over NBD; on the trusted side, where the keys are. */
module io.github.roram.nbd {
  requires transitive io.github.roram;
  requires transitive io.github.roram.protocol;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.github.roram.nbd;
}
