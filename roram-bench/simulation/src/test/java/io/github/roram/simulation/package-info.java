/**
 * Everything under one seed: clients, stores, disks and clocks in one thread and simulated time,
 * with faults that are more frequent than in production, after FoundationDB's simulator and
 * TigerBeetle's VOPR.
 */
@NullMarked
package io.github.roram.simulation;

import org.jspecify.annotations.NullMarked;
