package io.github.roram.netserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One rule counts for each volume, and no rule means no access. */
final class AccessRulesTest {

  private static final Identity ALICE = new Identity("alice");
  private static final Identity BOB = new Identity("bob");

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
    assertThat(rules.allows(ALICE, "team-a")).isTrue();
    assertThat(rules.allows(BOB, "team-a")).isFalse();
    assertThat(rules.allows(BOB, "team-ab")).isTrue();
    assertThat(rules.allows(ALICE, "team")).isFalse();
    assertThat(rules.allows(BOB, "team")).isTrue();
    assertThat(rules.quotaBytes("team-a")).isEqualTo(3);
    assertThat(rules.quotaBytes("team-b")).isEqualTo(2);
    assertThat(rules.quotaBytes("x")).isEqualTo(1);
  }

  @Test
  void whatNoRuleNamesIsNobodys() {
    AccessRules rules = new AccessRules(List.of(rule("a", 1, VolumeRule.ALL)));
    assertThat(rules.allows(ALICE, "a")).isTrue();
    assertThat(rules.allows(Identity.ANONYMOUS, "a")).isTrue();
    assertThat(rules.allows(ALICE, "ab")).isFalse();
    assertThat(rules.quotaBytes("ab")).isZero();
    assertThat(new AccessRules(List.of()).allows(ALICE, "a")).isFalse();
  }

  @Test
  void namesAreComparedWhole() {
    AccessRules rules = new AccessRules(List.of(rule("a", 1, "alice")));
    assertThat(rules.allows(new Identity("alice2"), "a")).isFalse();
    assertThat(rules.allows(new Identity("Alice"), "a")).isFalse();
  }

  @Test
  void refusesRulesThatCannotBeMeant() {
    assertThatThrownBy(() -> new AccessRules(List.of(rule("a", 1, "x"), rule("a", 1, "y"))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("two rules");
    assertThatThrownBy(() -> rule("../a", 1, "x")).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> rule("a*b", 1, "x")).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> rule("a", 0, "x")).hasMessageContaining("quota is 0");
    assertThatThrownBy(() -> new Identity("a/b")).hasMessageContaining("\"a/b\"");
  }
}
