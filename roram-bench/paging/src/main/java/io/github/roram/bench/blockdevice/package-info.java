/** The experiment of block devices: schemes against a disk whose blocks are sealed one by one. */
@NullMarked
package io.github.roram.bench.blockdevice;

import org.jspecify.annotations.NullMarked;
