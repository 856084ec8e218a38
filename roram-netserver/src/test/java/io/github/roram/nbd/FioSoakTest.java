package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fio at length: two jobs on connections of their own, 32 requests of any lengths in flight each,
 * everything that was written read again and verified. Lasts {@code roram.soak.seconds}.
 */
final class FioSoakTest {

  private static final int SECONDS = Integer.getInteger("roram.soak.seconds", 600);

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Tag("soak")
  @Test
  void fioVerifiesAtLength() throws Exception {
    Programs.need("fio");
    long half = 8L << 20;
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    int rounds = 0;
    for (; rounds == 0 || System.nanoTime() < end; rounds++) {
      Programs.run(
          "fio",
          "--ioengine=nbd",
          "--uri=" + server.uri(),
          "--rw=randwrite",
          "--bsrange=512-128k",
          "--bs_unaligned",
          "--size=" + half,
          "--iodepth=32",
          "--fsync=64",
          "--verify=crc32c",
          "--verify_fatal=1",
          "--verify_backlog=64",
          "--verify_state_save=0",
          "--loops=4",
          "--randseed=" + (rounds + 1),
          "--name=low",
          "--offset=0",
          "--name=high",
          "--offset=" + half);
      // The last connection may be ending.
      for (int i = 0; i < 500 && server.server().connections() > 0; i++) {
        Thread.sleep(10);
      }
      assertThat(server.server().heldBytes()).as("after round %d", rounds).isZero();
    }
    assertThat(rounds).isPositive();
  }
}
