/**
 * Who a client is, {@link ClientAuthenticator} and {@link TokenFile}, and which volumes it may use,
 * {@link AccessRules} and {@link VolumeRule}.
 */
@NullMarked
package io.github.roram.netserver.access;

import io.github.roram.netserver.access.AccessRules.VolumeRule;
import org.jspecify.annotations.NullMarked;
