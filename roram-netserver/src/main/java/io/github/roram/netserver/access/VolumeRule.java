package io.github.roram.netserver.access;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who may use volumes of a name, and how large they may be.
 *
 * @param pattern a volume's name, or the start of names and then {@code *}
 * @param identities names of those who may create, open, read, write and delete them; {@code *} for
 *     everyone whom the server lets in
 * @param quotaBytes largest capacity of each of these volumes, in bytes, at least 1; {@link
 *     #NO_QUOTA} where the server's limit for all volumes counts
 */
public record VolumeRule(String pattern, Set<String> identities, long quotaBytes) {

  /** Stands for every identity, and at the end of a pattern for every rest of a name. */
  public static final String ALL = "*";

  /** Nothing is said of these volumes' capacity. */
  public static final long NO_QUOTA = Long.MAX_VALUE;

  private static final Pattern PATTERN = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}\\*?|\\*");

  /**
   * Checks and copies.
   *
   * @throws ConfigurationException if a part is not as above
   */
  public VolumeRule {
    if (!PATTERN.matcher(pattern).matches()) {
      throw new ConfigurationException(
          "volume is \""
              + pattern
              + "\", must be 1 to 64 of a-z, 0-9 and ._-, starting with a letter or digit, or such"
              + " a start and *");
    }
    identities = Set.copyOf(identities);
    for (String name : identities) {
      if (!name.equals(ALL) && !ClientIdentity.isName(name)) {
        throw new ConfigurationException(
            "identity is \"" + name + "\", must be a name of letters, digits and ._@-, or *");
      }
    }
    if (quotaBytes < 1) {
      throw new ConfigurationException("quota is " + quotaBytes + ", must be at least 1 byte");
    }
  }

  boolean appliesTo(String volume) {
    return pattern.endsWith(ALL)
        ? volume.startsWith(pattern.substring(0, pattern.length() - 1))
        : volume.equals(pattern);
  }

  boolean allows(ClientIdentity identity) {
    return identities.contains(ALL) || identities.contains(identity.name());
  }
}
