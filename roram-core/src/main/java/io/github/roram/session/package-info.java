/** Open ORAMs: checks, the lock, the byte view, checkpoints, opening and closing. */
@NullMarked
package io.github.roram.session;

import org.jspecify.annotations.NullMarked;
