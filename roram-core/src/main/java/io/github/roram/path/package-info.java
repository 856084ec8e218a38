/**
 * Classic Path ORAM (Stefanov et al., CCS 2013), the baseline: {@link PathOram}, on a {@link
 * PathTree}, laid out by {@link PathLayout}, with a map in client memory or in smaller trees,
 * {@link RecursivePositionMap}. Buckets are overwritten in place, so each names the versions of its
 * two children ({@link LinkedTree}), and passes over the store follow these links ({@link
 * PathWalk}).
 */
@NullMarked
package io.github.roram.path;

import org.jspecify.annotations.NullMarked;
