/** What a scheme is to the rest: a provider, engines that make accesses, and what those can do. */
@NullMarked
package io.github.roram.engine;

import org.jspecify.annotations.NullMarked;
