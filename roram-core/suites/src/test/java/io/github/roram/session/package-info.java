@NullMarked
package io.github.roram.session;

import org.jspecify.annotations.NullMarked;
