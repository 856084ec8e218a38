/** What all schemes share: checks, the lock, the byte view, opening and closing. */
@NullMarked
package io.github.roram.engine;

import org.jspecify.annotations.NullMarked;
