/** What an operator can watch: metrics, health, readiness. */
@NullMarked
package io.github.roram.netserver.metrics;

import org.jspecify.annotations.NullMarked;
