/** Tests of the judge: what leaks is found, and what does not is left alone. */
@NullMarked
package io.github.roram.auditor.nbd;

import org.jspecify.annotations.NullMarked;
