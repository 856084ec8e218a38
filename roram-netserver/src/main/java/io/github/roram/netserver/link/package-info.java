/** A slow line between clients and servers on one machine, for measurements. */
@NullMarked
package io.github.roram.netserver.link;

import org.jspecify.annotations.NullMarked;
