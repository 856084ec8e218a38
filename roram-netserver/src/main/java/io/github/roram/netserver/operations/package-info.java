/** A block server as an operator runs it: from settings, watched, and ended in order. */
@NullMarked
package io.github.roram.netserver.operations;

import org.jspecify.annotations.NullMarked;
