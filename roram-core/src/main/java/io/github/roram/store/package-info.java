/** What an ORAM asks of the storage below it: the untrusted store and the client's own vault. */
@NullMarked
package io.github.roram.store;

import org.jspecify.annotations.NullMarked;
