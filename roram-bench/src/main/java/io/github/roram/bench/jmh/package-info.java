/**
 * JMH micro-benchmarks: accesses, sealing, bulk load, placement.
 *
 * <p>To run them all, or those that match a pattern:
 *
 * <pre>{@code
 * mvn -q -Pjmh -pl roram-bench -am -DskipTests package
 * java -jar roram-bench/target/benchmarks.jar Access -p scheme=roram
 * }</pre>
 *
 * <p>The secondary figure {@code bytes} is the rate at which an operation moves bytes to and from
 * the store, or through the cipher, so that accesses compare with sealing alone.
 */
@NullMarked
package io.github.roram.bench.jmh;

import org.jspecify.annotations.NullMarked;
