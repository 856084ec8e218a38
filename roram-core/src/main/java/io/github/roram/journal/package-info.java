/** The client's journal (construction, section 6). */
@NullMarked
package io.github.roram.journal;

import org.jspecify.annotations.NullMarked;
