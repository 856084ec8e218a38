/** Tests of the audit as a whole. */
@NullMarked
package io.github.roram.auditor;

import org.jspecify.annotations.NullMarked;
