/** What backups cost: those who use the store meanwhile, and against plain copies. */
@NullMarked
package io.github.roram.bench.backup;

import org.jspecify.annotations.NullMarked;
