/**
 * The ORAM constructions, and the contract of the store below them.
 *
 * <p>Users need the packages that are exported first. Those who write a scheme need the second
 * group as well. Everything else is internal, and open to modules of this project alone.
 *
 * @uses io.github.roram.Scheme schemes of other modules are found next to ours
 * @provides io.github.roram.Scheme Path ORAM, batched Path ORAM, rORAM, TaORAM, DetWoORAM and the
 *     ring of large buckets
 */
@SuppressWarnings("module") // those that packages are exported to are built later
module io.github.roram {
  requires static transitive org.jspecify;
  requires com.carrotsearch.hppc;
  requires org.slf4j;

  exports io.github.roram;
  exports io.github.roram.open;
  exports io.github.roram.paging;
  exports io.github.roram.parameters;
  exports io.github.roram.crypto;
  exports io.github.roram.store;

  // For engines that keep objects.
  exports io.github.roram.object;

  // For schemes.
  exports io.github.roram.engine;
  exports io.github.roram.bucket;
  exports io.github.roram.checkpoint;
  exports io.github.roram.cipher;
  exports io.github.roram.threads;

  // Tests of whole ORAMs choose their labels.
  exports io.github.roram.session to
      io.github.roram.testkit;
  // Access patterns without data, and what experiments compare them with.
  exports io.github.roram.pattern to
      io.github.roram.bench;
  exports io.github.roram.range to
      io.github.roram.bench;
  exports io.github.roram.eviction to
      io.github.roram.jmh;

  uses io.github.roram.Scheme;

  provides io.github.roram.Scheme with
      io.github.roram.detwo.DetWoScheme,
      io.github.roram.linked.PathScheme,
      io.github.roram.range.BatchedPathScheme,
      io.github.roram.range.RangeOramScheme,
      io.github.roram.linked.TaoScheme,
      io.github.roram.slot.SlotScheme;
}
