/** The scheme of docs/write-a-scheme.md, which knows nothing of roram but what is exported. */
@NullMarked
package example.scheme;

import org.jspecify.annotations.NullMarked;
