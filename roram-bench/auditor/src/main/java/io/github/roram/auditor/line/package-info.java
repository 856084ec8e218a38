/** What a watcher of the line to a block server sees. */
@NullMarked
package io.github.roram.auditor.line;

import org.jspecify.annotations.NullMarked;
