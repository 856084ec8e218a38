/** The store of docs/write-a-store.md, which roram knows nothing of. */
@NullMarked
package example.store;

import org.jspecify.annotations.NullMarked;
