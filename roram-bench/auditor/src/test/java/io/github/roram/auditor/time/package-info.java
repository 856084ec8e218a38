/** Tests of the judge of times. */
@NullMarked
package io.github.roram.auditor.time;

import org.jspecify.annotations.NullMarked;
