package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.cipher.WipedKeys;
import java.nio.channels.ClosedChannelException;
import java.util.Set;

/** What an ORAM that has ended leaves: neither threads nor keys. */
public final class EndedOram {

  private final Set<Thread> before = Thread.getAllStackTraces().keySet();

  /** For an ORAM that is created or opened after this. */
  public EndedOram() {}

  /** Fails unless the ORAM below has ended, and with it all threads that it and others had. */
  public void check(Oram below) {
    assertThat(WipedKeys.isWiped(((OpenOram) below).context().keys())).as("keys wiped").isTrue();
    assertThatThrownBy(() -> below.read(0, 1)).isInstanceOf(ClosedChannelException.class);
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("roram-"))
        .filteredOn(thread -> thread.isAlive() && !before.contains(thread))
        .isEmpty();
  }
}
