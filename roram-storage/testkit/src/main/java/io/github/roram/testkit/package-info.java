/**
 * For those who write a store, a vault or a scheme: suites that say whether it keeps its contract,
 * stores that fail, tamper and record, and a medium that loses power.
 */
@NullMarked
package io.github.roram.testkit;

import org.jspecify.annotations.NullMarked;
