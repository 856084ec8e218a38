@NullMarked
package io.github.roram.netserver.metrics;

import org.jspecify.annotations.NullMarked;
