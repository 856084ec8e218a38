/** Metrics, health and readiness of a server, for its operator. */
@NullMarked
package io.github.roram.netserver.metrics;

import org.jspecify.annotations.NullMarked;
