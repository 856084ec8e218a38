/** What the device holds: the contents that every answer is checked against. */
@NullMarked
package io.github.roram.bench.workload;

import org.jspecify.annotations.NullMarked;
