package io.github.roram.cli;

import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.config.SettingsFile;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code roram server}: serves volumes to clients on other machines. */
@Command(
    name = "server",
    header = "Run a block server for tcp: and tls: stores.",
    description = {
      "",
      "Serves volumes in a directory until it is stopped (SIGTERM, SIGINT); it then"
          + " completes the current requests and exits with code 0. The server is the untrusted"
          + " side: it has no key and sees no data.",
      "",
      "--config names a file with all settings: who may use which volume, limits, metrics."
          + " With --dir and --listen, every client that the server lets in may use every volume,"
          + " up to the default limits of 1 TiB per volume and 4 TiB per identity: on loopback,"
          + " everyone on this machine; with --certs, which is required off loopback, everyone"
          + " with a certificate of its authority.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram server --dir /tmp/blocks --listen 127.0.0.1:7420",
      "  roram server init-certs --dir certs --host blocks.example.org \\",
      "    --client alice",
      "  roram server --dir /srv/blocks --listen 0.0.0.0:7420 --certs certs",
      "  roram server --config server.toml --check"
    },
    subcommands = {InitCertsCommand.class, AddTokenCommand.class})
final class ServerCommand implements Callable<Integer> {

  @ParentCommand RoramCommand roram;

  @Option(names = "--config", paramLabel = "FILE", description = "Settings, in TOML.")
  @Nullable Path config;

  @Option(
      names = "--check",
      description = "Check the settings and the files that they name, and exit.")
  boolean check;

  @Option(names = "--dir", paramLabel = "DIR", description = "Directory of the volumes.")
  @Nullable Path directory;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Address for clients; with port 0 the system picks a port.")
  @Nullable String listen;

  @Option(
      names = "--certs",
      paramLabel = "DIR",
      description = "Directory with ca.crt, server.crt and server.key, as made by init-certs.")
  @Nullable Path certificates;

  @Override
  public Integer call() throws IOException {
    ServerSettings settings = settings();
    if (check) {
      OperatedServer.check(settings);
      roram.note(config + " is right.");
      return ExitCodes.OK;
    }
    ErrorLog.configure(settings.log());
    OperatedServer server = OperatedServer.start(settings, config);
    ServiceLife.endWithProcess("roram-server-end", () -> ExitCodes.ofService(server.drain()));
    roram.answer("Listening at " + server.uri());
    server.metricsUri().ifPresent(uri -> roram.answer("Metrics at " + uri));
    server.awaitClosed();
    return ExitCodes.OK;
  }

  private ServerSettings settings() throws IOException {
    boolean flags = directory != null || listen != null || certificates != null;
    if (config != null) {
      if (flags) {
        throw new UsageException("--config holds everything: leave out --dir, --listen, --certs");
      }
      return SettingsFile.read(config);
    }
    if (check || directory == null || listen == null) {
      throw new UsageException(
          check ? "--check needs --config FILE" : "give --config FILE, or --dir and --listen");
    }
    HostPort address = HostPort.parse(listen);
    ServerSettings open =
        certificates == null
            ? ServerSettings.openOnLoopback(address, directory)
            : ServerSettings.openToCertified(
                address, directory, TlsFiles.inDirectory(certificates, "server"));
    return open.withLog(ErrorLog.serviceSettings(roram.quiet()));
  }
}
