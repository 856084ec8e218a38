@NullMarked
package io.github.roram.proxy.client;

import org.jspecify.annotations.NullMarked;
