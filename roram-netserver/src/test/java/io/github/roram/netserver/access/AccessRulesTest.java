package io.github.roram.netserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.access.AccessRules.VolumeRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One rule counts for each volume, and no rule means no access. */
final class AccessRulesTest {

  private static final ClientIdentity ALICE = new ClientIdentity("alice");
  private static final ClientIdentity BOB = new ClientIdentity("bob");

  private static VolumeRule rule(String pattern, long quota, String... identities) {
    return new VolumeRule(pattern, Set.of(identities), quota);
  }

  @Test
  void theMostTellingRuleCountsAlone() {
    AccessRules rules =
        new AccessRules(
            List.of(
                rule("*", 1, "bob"),
                rule("team-*", 2, "alice", "bob"),
                rule("team-a", 3, "alice")));
    assertThat(rules.allows(ALICE, "team-a", Action.USE)).isTrue();
    assertThat(rules.allows(BOB, "team-a", Action.USE)).isFalse();
    assertThat(rules.allows(BOB, "team-ab", Action.USE)).isTrue();
    assertThat(rules.allows(ALICE, "team", Action.USE)).isFalse();
    assertThat(rules.allows(BOB, "team", Action.USE)).isTrue();
    assertThat(rules.maxVolumeBytes("team-a", 9)).isEqualTo(3);
    assertThat(rules.maxVolumeBytes("team-b", 9)).isEqualTo(2);
    assertThat(rules.maxVolumeBytes("x", 9)).isEqualTo(1);
    assertThat(AccessRules.OPEN.maxVolumeBytes("x", 9)).isEqualTo(9);
  }

  @Test
  void whatNoRuleNamesIsNobodys() {
    AccessRules rules = new AccessRules(List.of(rule("a", 1, VolumeRule.ALL)));
    assertThat(rules.allows(ALICE, "a", Action.USE)).isTrue();
    assertThat(rules.allows(ClientIdentity.ANONYMOUS, "a", Action.USE)).isTrue();
    assertThat(rules.allows(ALICE, "ab", Action.USE)).isFalse();
    assertThat(rules.maxVolumeBytes("ab", 9)).isZero();
    assertThat(new AccessRules(List.of()).allows(ALICE, "a", Action.USE)).isFalse();
  }

  @Test
  void namesAreComparedWhole() {
    AccessRules rules = new AccessRules(List.of(rule("a", 1, "alice")));
    assertThat(rules.allows(new ClientIdentity("alice2"), "a", Action.USE)).isFalse();
    assertThat(rules.allows(new ClientIdentity("Alice"), "a", Action.USE)).isFalse();
  }

  @Test
  void refusesRulesThatCannotBeMeant() {
    assertThatThrownBy(() -> new AccessRules(List.of(rule("a", 1, "x"), rule("a", 1, "y"))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("two rules");
    assertThatThrownBy(() -> rule("../a", 1, "x")).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> rule("a*b", 1, "x")).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> rule("a", 0, "x")).hasMessageContaining("quota is 0");
    assertThatThrownBy(() -> new ClientIdentity("a/b")).hasMessageContaining("\"a/b\"");
  }
}
