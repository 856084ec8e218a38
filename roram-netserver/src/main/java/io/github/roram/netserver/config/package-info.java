/** The server's settings and the file that they stand in. */
@NullMarked
package io.github.roram.netserver.config;

import org.jspecify.annotations.NullMarked;
