/** What the client saves between two openings. */
@NullMarked
package io.github.roram.state;

import org.jspecify.annotations.NullMarked;
