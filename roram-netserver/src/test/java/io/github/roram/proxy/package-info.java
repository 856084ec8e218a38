@NullMarked
package io.github.roram.proxy;

import org.jspecify.annotations.NullMarked;
