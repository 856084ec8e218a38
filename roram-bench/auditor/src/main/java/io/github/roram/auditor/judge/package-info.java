/**
 * Judges what observers saw of runs: exact checks of shapes, statistical checks of labels, and a
 * distinguisher that is trained to tell two sides apart.
 */
@NullMarked
package io.github.roram.auditor.judge;

import org.jspecify.annotations.NullMarked;
