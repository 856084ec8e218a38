/**
 * Checks of whole stores (construction, sections 2.3 and 2.4): {@link TreeAudit} looks at every
 * bucket of all trees, and compares the blocks of the trees with each other.
 */
@NullMarked
package io.github.roram.audit;

import org.jspecify.annotations.NullMarked;
