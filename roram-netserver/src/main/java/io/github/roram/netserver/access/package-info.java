/**
 * Identification of clients, {@link ClientAuthenticator} and {@link TokenFile}, and access to
 * volumes, {@link AccessRules} and {@link VolumeRule}.
 */
@NullMarked
package io.github.roram.netserver.access;

import io.github.roram.netserver.access.AccessRules.VolumeRule;
import org.jspecify.annotations.NullMarked;
