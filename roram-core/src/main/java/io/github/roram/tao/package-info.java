/** TaORAM: Path ORAM whose accesses overlap. */
@NullMarked
package io.github.roram.tao;

import org.jspecify.annotations.NullMarked;
