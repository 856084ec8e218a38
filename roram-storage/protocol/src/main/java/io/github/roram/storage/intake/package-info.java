/** What servers need to take requests from clients that are slow, greedy or hostile. */
@NullMarked
package io.github.roram.storage.intake;

import org.jspecify.annotations.NullMarked;
