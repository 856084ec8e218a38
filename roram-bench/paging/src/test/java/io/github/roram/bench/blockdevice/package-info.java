/** Tests. */
@NullMarked
package io.github.roram.bench.blockdevice;

import org.jspecify.annotations.NullMarked;
