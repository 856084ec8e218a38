/** Buckets in rings over an address space of bytes (construction, section 2.3). */
@NullMarked
package io.github.roram.ring;

import org.jspecify.annotations.NullMarked;
