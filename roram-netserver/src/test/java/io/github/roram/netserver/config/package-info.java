@NullMarked
package io.github.roram.netserver.config;

import org.jspecify.annotations.NullMarked;
