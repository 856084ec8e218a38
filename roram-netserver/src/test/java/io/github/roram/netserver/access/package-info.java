@NullMarked
package io.github.roram.netserver.access;

import org.jspecify.annotations.NullMarked;
