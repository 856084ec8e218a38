/**
 * Tests of whole ORAMs over real stores: answers against a plain array, what the server sees, what
 * it may not change unnoticed, faults, and what the client spends.
 */
@NullMarked
package io.github.roram.suites;

import org.jspecify.annotations.NullMarked;
