package io.github.roram.netserver.access;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.AccessPolicy;
import io.github.roram.netserver.ClientIdentity;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which volumes an identity may use. One rule counts for a volume: that of its very name, else the
 * one with the longest start; a volume that no rule applies to is nobody's. Immutable.
 */
public final class AccessRules implements AccessPolicy {

  /** The most telling first: whole names, then patterns, the longest first. */
  private static final Comparator<VolumeRule> ORDER =
      Comparator.comparing((VolumeRule rule) -> rule.pattern().endsWith(VolumeRule.ALL))
          .thenComparing(rule -> -rule.pattern().length());

  /** Everyone whom the server lets in may use every volume. */
  public static final AccessRules OPEN =
      new AccessRules(
          List.of(new VolumeRule(VolumeRule.ALL, Set.of(VolumeRule.ALL), VolumeRule.NO_QUOTA)));

  private final List<VolumeRule> rules;

  /**
   * Rules in any order.
   *
   * @throws ConfigurationException if two are for the same volumes
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

  /** Whether the identity is on the volume's list; all actions are alike. */
  @Override
  public boolean allows(ClientIdentity identity, String volume, Action action) {
    return rule(volume).filter(rule -> rule.allows(identity)).isPresent();
  }

  /** The volume's quota, if its rule has one; 0 if no rule applies to it. */
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
}
