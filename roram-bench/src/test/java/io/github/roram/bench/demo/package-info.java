@NullMarked
package io.github.roram.bench.demo;

import org.jspecify.annotations.NullMarked;
