/** A block server for an operator: started from settings, with metrics and an orderly end. */
@NullMarked
package io.github.roram.netserver.operations;

import org.jspecify.annotations.NullMarked;
