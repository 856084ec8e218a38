/** Stores for tests of what runs above them: the server's view, and injected faults. */
@NullMarked
package io.github.roram.storage.testing;

import org.jspecify.annotations.NullMarked;
