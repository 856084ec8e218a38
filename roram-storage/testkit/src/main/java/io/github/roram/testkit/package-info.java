/**
 * For those who write a store, a vault or a scheme: suites that say whether it keeps its contract,
 * and stores that fail, tamper and record.
 */
@NullMarked
package io.github.roram.testkit;

import org.jspecify.annotations.NullMarked;
