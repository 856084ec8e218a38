/**
 * Internal: parameters that fit a budget of client memory: {@link TreeBudget} has the choices,
 * {@link BudgetSearch} takes the one whose accesses cost least.
 */
@NullMarked
package io.github.roram.budget;

import org.jspecify.annotations.NullMarked;
