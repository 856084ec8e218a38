/** Tests of runs whose accesses overlap. */
@NullMarked
package io.github.roram.auditor.overlap;

import org.jspecify.annotations.NullMarked;
