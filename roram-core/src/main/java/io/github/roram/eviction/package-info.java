/**
 * When a tree evicts, and where its blocks go (construction, section 2.2): {@link EvictionSchedule}
 * is the order and the debt (rORAM, §IV-B and §V), {@link Placement} are steps 6 to 11 of Algorithm
 * 2, {@link EvictionSchedule.WriteShare} is the public write share (construction, section 7).
 */
@NullMarked
package io.github.roram.eviction;

import org.jspecify.annotations.NullMarked;
