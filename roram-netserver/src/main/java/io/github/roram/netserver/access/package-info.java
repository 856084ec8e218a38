/** Who a client is, and which volumes it may use. */
@NullMarked
package io.github.roram.netserver.access;

import org.jspecify.annotations.NullMarked;
