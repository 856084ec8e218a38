/** The bytes that a proxy and its clients exchange: docs/proxy.md. */
@NullMarked
package io.github.roram.proxy.protocol;

import org.jspecify.annotations.NullMarked;
