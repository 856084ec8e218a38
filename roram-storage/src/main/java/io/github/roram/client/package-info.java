/**
 * The main entry point of the trusted side: {@link io.github.roram.client.Roram} creates and opens
 * ORAMs in stores by URI, {@link io.github.roram.client.Key} unlocks them. The command line uses
 * the same classes, so each opens the other's stores.
 *
 * <p>A store's master key is random, and is kept with the client's records, {@linkplain
 * io.github.roram.client.WrappedKey wrapped} under a passphrase or another key.
 */
@NullMarked
package io.github.roram.client;

import org.jspecify.annotations.NullMarked;
