package io.github.roram.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who comes gets in; who has been silent longest, from where most are silent, goes. */
final class AdmissionTest {

  private final List<String> out = new ArrayList<>();

  private Admission.Visitor arrive(Admission admission, String name, String address) {
    return admission.arrive(at(address), () -> out.add(name));
  }

  private static SocketAddress at(String address) {
    try {
      return new InetSocketAddress(InetAddress.getByName(address), 5);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void oneAddressPushesOutItsOwn() {
    Admission admission = new Admission(1, new HandshakeLimits(10, 2));
    arrive(admission, "neighbour", "192.0.2.1");
    arrive(admission, "a", "192.0.2.2");
    arrive(admission, "b", "192.0.2.2");
    arrive(admission, "c", "192.0.2.2");
    arrive(admission, "d", "192.0.2.2");
    assertThat(out).containsExactly("a", "b");
  }

  @Test
  void theAddressWithMostGivesWay() {
    Admission admission = new Admission(1, new HandshakeLimits(4, 3));
    arrive(admission, "x", "192.0.2.1");
    for (String name : List.of("a", "b", "c")) {
      arrive(admission, name, "192.0.2.2");
    }
    arrive(admission, "y", "192.0.2.3");
    arrive(admission, "z", "192.0.2.4");
    assertThat(out).containsExactly("a", "b");
    arrive(admission, "w", "192.0.2.5"); // now all are alone: the first to come goes
    assertThat(out).containsExactly("a", "b", "x");
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() {
    Admission admission = new Admission(1, new HandshakeLimits(10, 1));
    arrive(admission, "a", "2001:db8::1");
    arrive(admission, "b", "2001:db8::ffff:2");
    arrive(admission, "c", "2001:db8:0:1::1");
    assertThat(out).containsExactly("a");
  }

  @Test
  void knownClientsHaveTheirOwnPlaces() {
    Admission admission = new Admission(2, new HandshakeLimits(1, 1));
    Admission.Visitor first = arrive(admission, "first", "192.0.2.1");
    assertThat(first.admit()).isTrue();
    Admission.Visitor second = arrive(admission, "second", "192.0.2.1");
    assertThat(second.admit()).isTrue();
    Admission.Visitor third = arrive(admission, "third", "192.0.2.1");
    assertThat(third.admit()).isFalse();
    first.leave();
    first.leave();
    assertThat(third.admit()).isTrue();
    Admission.Visitor fourth = arrive(admission, "fourth", "192.0.2.1");
    assertThat(fourth.admit()).isFalse();
    arrive(admission, "fifth", "192.0.2.1");
    assertThat(out).containsExactly("fourth");
    assertThat(fourth.admit()).isFalse();
    second.leave();
    assertThat(fourth.admit()).as("it was pushed out").isFalse();
  }

  /** The address with most clients gives its latest to one with fewer, and no more than that. */
  @Test
  void aCrowdOfClientsMakesRoom() {
    Admission admission = new Admission(3, new HandshakeLimits(10, 10));
    for (String name : List.of("a", "b", "c")) {
      assertThat(arrive(admission, name, "192.0.2.1").admit()).isTrue();
    }
    assertThat(arrive(admission, "d", "192.0.2.1").admit()).isFalse();
    Admission.Visitor x = arrive(admission, "x", "192.0.2.2");
    assertThat(x.admit()).isTrue();
    assertThat(out).containsExactly("c");
    assertThat(arrive(admission, "y", "192.0.2.2").admit()).as("two to one is fair").isFalse();
    assertThat(arrive(admission, "z", "192.0.2.3").admit()).isTrue();
    assertThat(out).containsExactly("c", "b");
    assertThat(arrive(admission, "w", "192.0.2.4").admit()).as("each has one").isFalse();
    x.leave();
    assertThat(arrive(admission, "e", "192.0.2.1").admit()).isTrue();
    assertThat(out).hasSize(2);
  }
}
