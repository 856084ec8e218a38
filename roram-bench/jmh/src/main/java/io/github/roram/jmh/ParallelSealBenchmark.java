package io.github.roram.jmh;

import org.openjdk.jmh.annotations.Threads;

/**
 * {@link SealBenchmark} on a thread for each processor: what all of them reach if they do nothing
 * else.
 */
@Threads(Threads.MAX)
public class ParallelSealBenchmark extends SealBenchmark {}
