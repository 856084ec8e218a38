/** Memory of pages over a bounded working set, paged to any ORAM. */
module io.github.roram.paging {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;
  requires com.carrotsearch.hppc;

  exports io.github.roram.paging;
}
