/**
 * The parameters of the schemes that come with roram, and how many levels of its trees a client can
 * hold: {@link TreetopBudget}, by the blocks that {@link TreetopLoad} expects there (construction,
 * section 2.2).
 */
@NullMarked
package io.github.roram.parameters;

import org.jspecify.annotations.NullMarked;
