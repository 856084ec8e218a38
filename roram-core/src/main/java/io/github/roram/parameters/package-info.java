/**
 * The parameters of the schemes that come with roram, and the number of levels of its trees that a
 * client can hold: {@link TreetopBudget}, from the blocks that {@link TreetopLoad} expects there
 * (construction, section 2.2).
 */
@NullMarked
package io.github.roram.parameters;

import org.jspecify.annotations.NullMarked;
