/** Trees whose levels are logs: geometry, layout, the paths to read (construction, section 2). */
@NullMarked
package io.github.roram.tree;

import org.jspecify.annotations.NullMarked;
