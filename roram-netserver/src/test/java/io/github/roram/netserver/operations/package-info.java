@NullMarked
package io.github.roram.netserver.operations;

import org.jspecify.annotations.NullMarked;
