/**
 * Parameters that fit a budget of client memory. {@link TreeBudget} makes the choices for schemes
 * of trees; {@link BudgetSearch} takes the one whose accesses cost least.
 */
@NullMarked
package io.github.roram.budget;

import org.jspecify.annotations.NullMarked;
