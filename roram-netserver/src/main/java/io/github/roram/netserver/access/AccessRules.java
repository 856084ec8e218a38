package io.github.roram.netserver.access;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.AccessPolicy;
import io.github.roram.netserver.ClientIdentity;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rules that say which volumes an identity may use. One rule applies to a volume: the one with its
 * exact name, or else the one with the longest prefix; if none applies, nobody may use the volume.
 * Immutable.
 */
public final class AccessRules implements AccessPolicy {

  /** The most specific rules first: whole names, then patterns, the longest first. */
  private static final Comparator<VolumeRule> ORDER =
      Comparator.comparing((VolumeRule rule) -> rule.pattern().endsWith(VolumeRule.ALL))
          .thenComparing(rule -> -rule.pattern().length());

  /** Lets every admitted client use every volume. */
  public static final AccessRules OPEN =
      new AccessRules(
          List.of(new VolumeRule(VolumeRule.ALL, Set.of(VolumeRule.ALL), VolumeRule.NO_QUOTA)));

  private final List<VolumeRule> rules;

  /**
   * Creates rules from a list in any order.
   *
   * @throws ConfigurationException if two have the same pattern
   */
  public AccessRules(List<VolumeRule> rules) {
    Set<String> patterns = new HashSet<>();
    for (VolumeRule rule : rules) {
      if (!patterns.add(rule.pattern())) {
        throw new ConfigurationException(
            "volume \"" + rule.pattern() + "\" has two rules; write one");
      }
    }
    this.rules = rules.stream().sorted(ORDER).toList();
  }

  /** Returns whether the identity is on the volume's list, whatever the action. */
  @Override
  public boolean allows(ClientIdentity identity, String volume, Action action) {
    return rule(volume).filter(rule -> rule.allows(identity)).isPresent();
  }

  /** Returns the volume's quota, if its rule has one; 0 if no rule applies to it. */
  @Override
  public long maxVolumeBytes(String volume, long otherwise) {
    return rule(volume)
        .map(VolumeRule::quotaBytes)
        .map(quota -> quota == VolumeRule.NO_QUOTA ? otherwise : quota)
        .orElse(0L);
  }

  private Optional<VolumeRule> rule(String volume) {
    return rules.stream().filter(rule -> rule.appliesTo(volume)).findFirst();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessRules that && rules.equals(that.rules);
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }

  @Override
  public String toString() {
    return rules.toString();
  }

  /**
   * A rule: who may use volumes with certain names, and how large they may be.
   *
   * @param pattern a volume's name, or a prefix of names followed by {@code *}
   * @param identities names of those who may create, open, read, write and delete them; {@code *}
   *     for every admitted client
   * @param quotaBytes largest capacity of each of these volumes, in bytes, at least 1; {@link
   *     #NO_QUOTA} if the server's limit for all volumes applies
   */
  public record VolumeRule(String pattern, Set<String> identities, long quotaBytes) {

    /** Stands for every identity, and at the end of a pattern for any rest of a name. */
    public static final String ALL = "*";

    /** No quota: the server's limit for all volumes applies. */
    public static final long NO_QUOTA = Long.MAX_VALUE;

    private static final Pattern PATTERN = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}\\*?|\\*");

    /**
     * Checks the values and copies the set.
     *
     * @throws ConfigurationException if a value is invalid
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
}
