/**
 * What backups and growth cost those who use a store meanwhile, and backups against plain copies.
 */
@NullMarked
package io.github.roram.bench.backup;

import org.jspecify.annotations.NullMarked;
