package io.github.roram;

/**
 * What a {@linkplain io.github.roram.open.Orams#salvage salvage} found on a store.
 *
 * @param foundBlocks blocks that are on the store; the others were never evicted, or never written
 * @param uncertainBlocks found blocks of which two trees have different contents of the same key
 *     epoch; the contents evicted closer to the end were taken
 * @param buckets buckets that are intact
 * @param missingBuckets buckets that the evictions found must have written, but that are absent,
 *     are older or do not authenticate; the result may have older contents of their blocks
 */
public record SalvageReport(
    long foundBlocks, long uncertainBlocks, long buckets, long missingBuckets) {}
