/**
 * A search of pages as somebody else would write it: nothing in it is of this project's packages.
 */
@NullMarked
package example.search;

import org.jspecify.annotations.NullMarked;
