/**
 * Objects in a cluster of Apache Ignite: the client of them, and what the cluster's nodes need,
 * {@link io.github.roram.storage.ignite.RoramNode}.
 */
@NullMarked
package io.github.roram.storage.ignite;

import org.jspecify.annotations.NullMarked;
