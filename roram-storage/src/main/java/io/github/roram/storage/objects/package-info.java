/** Stores in engines that keep objects. */
@NullMarked
package io.github.roram.storage.objects;

import org.jspecify.annotations.NullMarked;
