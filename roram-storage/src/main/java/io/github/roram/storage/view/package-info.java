/**
 * What an observer sees of a run: at the store, at the client's vault, and on the line between
 * client and server. Recorded by decorators, kept in a {@link io.github.roram.storage.view.View},
 * and judged by the auditor.
 */
@NullMarked
package io.github.roram.storage.view;

import org.jspecify.annotations.NullMarked;
