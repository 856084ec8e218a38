@NullMarked
package io.github.roram.proxy.protocol;

import org.jspecify.annotations.NullMarked;
