/**
 * A server on the trusted side that shares one ORAM with many clients. Start with {@link
 * io.github.roram.proxy.ProxyServer}; the protocol is in docs/proxy.md.
 */
@NullMarked
package io.github.roram.proxy;

import org.jspecify.annotations.NullMarked;
