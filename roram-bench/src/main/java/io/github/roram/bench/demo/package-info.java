/** The experiment that compares the schemes on the bundled traces, and how it is shown. */
@NullMarked
package io.github.roram.bench.demo;

import org.jspecify.annotations.NullMarked;
