package io.github.roram;

/**
 * What a {@linkplain io.github.roram.open.Orams#salvage salvage} found on a store.
 *
 * @param foundBlocks blocks that are on the store; the others were never evicted, or never written
 * @param uncertainBlocks those of them of which two trees have different contents of the same key
 *     epoch: the one that was evicted nearer to the end was taken
 * @param buckets buckets that are whole
 * @param missingBuckets buckets that the evictions that were found must have left, and that are not
 *     there, are older or do not authenticate; what was in them may be older in the result
 */
public record SalvageReport(
    long foundBlocks, long uncertainBlocks, long buckets, long missingBuckets) {}
