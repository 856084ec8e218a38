/**
 * The {@code roram} command: one class for each subcommand, and what they share.
 *
 * <p>Data goes to standard output, and only when asked for with {@code --out -} or when it is the
 * answer of the command; messages and progress go to standard error.
 */
@NullMarked
package io.github.roram.cli;

import org.jspecify.annotations.NullMarked;
