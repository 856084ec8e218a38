/** A network between client and store: its round trip and bandwidth, in real or virtual time. */
@NullMarked
package io.github.roram.storage.link;

import org.jspecify.annotations.NullMarked;
