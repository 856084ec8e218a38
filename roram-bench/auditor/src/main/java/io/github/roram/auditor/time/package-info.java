/** What the times tell at which a store is asked. */
@NullMarked
package io.github.roram.auditor.time;

import org.jspecify.annotations.NullMarked;
