/**
 * The cost of backups and growth for concurrent users of a store, and of backups compared with
 * plain copies.
 */
@NullMarked
package io.github.roram.bench.backup;

import org.jspecify.annotations.NullMarked;
