/**
 * An ORAM that a proxy shares with many clients: begin with {@link
 * io.github.roram.proxy.client.ProxyClient}.
 */
@NullMarked
package io.github.roram.proxy.client;

import org.jspecify.annotations.NullMarked;
