/**
 * Views of observers of a run: at the store, at the client's vault, and on the line between client
 * and server. Decorators record them, a {@link io.github.roram.storage.view.View} holds them, and
 * the auditor judges them.
 */
@NullMarked
package io.github.roram.storage.view;

import org.jspecify.annotations.NullMarked;
