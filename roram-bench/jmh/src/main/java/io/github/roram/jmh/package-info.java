/**
 * JMH micro-benchmarks: accesses, alone and against the cipher, placement, and scheme detwo.
 *
 * <p>To run them all, or those that match a pattern:
 *
 * <pre>{@code
 * mvn -q -Pjmh -pl roram-bench/jmh -am -DskipTests package
 * java -jar roram-bench/jmh/target/benchmarks.jar Access -p scheme=roram
 * }</pre>
 *
 * <p>The secondary figure {@code bytes} is the rate at which an access moves bytes to and from the
 * store.
 */
@NullMarked
package io.github.roram.jmh;

import org.jspecify.annotations.NullMarked;
