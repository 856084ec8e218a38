@NullMarked
package io.github.roram.netserver.tls;

import org.jspecify.annotations.NullMarked;
