/** Checks of whole stores: every bucket, every block, all trees against each other. */
@NullMarked
package io.github.roram.audit;

import org.jspecify.annotations.NullMarked;
