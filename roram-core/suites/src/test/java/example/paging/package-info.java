/** What docs/paging.md shows. */
@NullMarked
package example.paging;

import org.jspecify.annotations.NullMarked;
