/** A scheme that knows nothing of roram but what is exported. */
@NullMarked
package example.scheme;

import org.jspecify.annotations.NullMarked;
