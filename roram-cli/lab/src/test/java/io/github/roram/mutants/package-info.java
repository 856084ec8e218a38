/** Small faults that the tests or the auditor must find. */
@NullMarked
package io.github.roram.mutants;

import org.jspecify.annotations.NullMarked;
