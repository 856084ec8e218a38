package io.github.roram.cli;

import io.github.roram.storage.RemoteOptions;
import io.github.roram.storage.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a store on a block server is reached; each option may be an environment variable instead. */
final class RemoteStoreOptions {

  private static final int MAX_RETRY_SECONDS = 86_400;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "tls: certificate of the server's authority, PEM (or RORAM_CA).")
  @Nullable Path ca;

  @Option(
      names = "--client-cert",
      paramLabel = "FILE",
      description = "tls: your certificate, PEM (or RORAM_CLIENT_CERT).")
  @Nullable Path clientCertificate;

  @Option(
      names = "--client-key",
      paramLabel = "FILE",
      description = "tls: your certificate's private key, PEM (or RORAM_CLIENT_KEY).")
  @Nullable Path clientKey;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "tls, and tcp on loopback: your token instead of a certificate (or RORAM_TOKEN_FILE).")
  @Nullable Path tokenFile;

  @Option(
      names = "--retry-seconds",
      paramLabel = "N",
      description = "tls, tcp: how long to try to reach a server that is away (default: 60).")
  @Nullable Integer retrySeconds;

  @Option(
      names = "--take-over",
      description = "tls, tcp: take the store from a client that still holds it.")
  boolean takeOver;

  /** The options with what the command line and the environment say. */
  StoreOptions applyTo(StoreOptions options, Environment environment) {
    RemoteOptions remote =
        RemoteOptions.defaults()
            .withCaCertificate(EnvironmentPath.choice(ca, "RORAM_CA", environment))
            .withClientCertificate(
                EnvironmentPath.choice(clientCertificate, "RORAM_CLIENT_CERT", environment),
                EnvironmentPath.choice(clientKey, "RORAM_CLIENT_KEY", environment))
            .withTokenFile(EnvironmentPath.choice(tokenFile, "RORAM_TOKEN_FILE", environment))
            .withTakeOver(takeOver);
    if (retrySeconds != null) {
      if (retrySeconds < 0 || retrySeconds > MAX_RETRY_SECONDS) {
        throw new UsageException(
            "--retry-seconds is " + retrySeconds + ", must be from 0 to " + MAX_RETRY_SECONDS);
      }
      remote =
          remote.withTimeouts(
              remote.connectTimeout(),
              remote.requestTimeout(),
              Duration.ofSeconds(retrySeconds),
              remote.pingInterval());
    }
    return options.withRemote(remote);
  }
}
