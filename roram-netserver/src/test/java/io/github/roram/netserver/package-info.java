/** Tests of the server together with its client. */
@NullMarked
package io.github.roram.netserver;

import org.jspecify.annotations.NullMarked;
