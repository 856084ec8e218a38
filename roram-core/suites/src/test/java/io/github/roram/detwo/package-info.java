@NullMarked
package io.github.roram.detwo;

import org.jspecify.annotations.NullMarked;
