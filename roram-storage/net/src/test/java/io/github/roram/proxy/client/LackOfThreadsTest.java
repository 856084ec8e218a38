package io.github.roram.proxy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that cannot have a thread when it is to connect again leaves nobody waiting. */
@Timeout(60)
final class LackOfThreadsTest {

  private static final ProxyAddress ADDRESS = new ProxyAddress("fake", 1);
  private static final Duration SOON = Duration.ofSeconds(10);

  private final List<FakeProxy> lines = new ArrayList<>();
  private int attempts;

  private FakeProxy connect(ProxyOptions options, ProxyLine.Listener listener) {
    attempts++;
    if (attempts == 2) {
      throw noThread();
    }
    FakeProxy line = new FakeProxy(options, listener, attempts == 1);
    lines.add(line);
    return line;
  }

  private static Error noThread() {
    return new OutOfMemoryError("unable to create native thread");
  }

  private ProxyClient client(OwnedThreads threads) throws IOException {
    return new ProxyClient(
        ADDRESS,
        ProxyOptions.defaults(),
        (address, options, failures, listener) -> connect(options, listener),
        threads);
  }

  @Test
  void anAttemptThatHasNoThreadIsOneThatFailed() throws Exception {
    try (ProxyClient client = client(new OwnedThreads())) {
      CompletableFuture<Void> flush = client.flush();
      lines.get(0).close();
      assertThat(flush).succeedsWithin(SOON);
      assertThat(attempts).isEqualTo(3);
    }
  }

  @Test
  void withoutAThreadForAttemptsTheClientGivesUp() throws Exception {
    OwnedThreads none =
        new OwnedThreads() {
          @Override
          public Executor serial(String name) {
            return task -> {
              throw noThread();
            };
          }
        };
    try (ProxyClient client = client(none)) {
      CompletableFuture<Void> flush = client.flush();
      lines.get(0).close();
      assertThat(flush)
          .failsWithin(SOON)
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("unable to create native thread; connect again");
      assertThat(client.flush()).isCompletedExceptionally();
    }
  }
}
