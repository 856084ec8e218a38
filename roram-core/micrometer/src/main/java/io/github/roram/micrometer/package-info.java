/** What an ORAM does, as metrics of Micrometer. */
@NullMarked
package io.github.roram.micrometer;

import org.jspecify.annotations.NullMarked;
