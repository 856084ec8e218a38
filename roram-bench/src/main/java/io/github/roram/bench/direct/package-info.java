/** The experiment of single blocks: schemes against a disk whose blocks are sealed one by one. */
@NullMarked
package io.github.roram.bench.direct;

import org.jspecify.annotations.NullMarked;
