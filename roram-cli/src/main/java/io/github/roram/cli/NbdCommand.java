package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.storage.StoreUse;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code roram nbd}: serves a store as a block device. */
@Command(
    name = "nbd",
    header = "Serve a store as a block device, over NBD.",
    description = {
      "",
      "File systems, databases and virtual machines use it through any NBD client:"
          + " nbd-client, nbdfuse, qemu, libnbd. It belongs on the trusted side: clients see the"
          + " data. It serves until it is stopped (SIGTERM, SIGINT); it then completes the"
          + " current requests, makes them durable and exits with code 0. docs/block-device.md"
          + " says what the store sees and how to set up a file system.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram nbd file:/data/vault --socket /run/vault.sock --key-file my.key",
      "  roram nbd file:/data/vault --listen 0.0.0.0:10809 --tls certs \\",
      "    --key-file my.key",
      "  roram nbd --config nbd.toml"
    })
final class NbdCommand extends StoreTaker {

  @Spec CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "STORE",
      description = "The store, as in file:DIR (roram help store).")
  @Nullable String storeUri;

  @Mixin KeyOptions keys;

  @Mixin OpeningOptions opening;

  @In(HelpSection.MORE)
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings of a server for several stores, in TOML; replaces all other options.")
  @Nullable Path config;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Unix socket for clients; only this user may connect.")
  @Nullable Path socket;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "TCP address for clients: with --tls, or on loopback with --anyone-on-this-machine.")
  @Nullable String listen;

  @Option(
      names = "--anyone-on-this-machine",
      description = "With --listen on loopback, without --tls: let every local user in.")
  boolean anyone;

  @Option(
      names = "--tls",
      paramLabel = "DIR",
      description =
          "Directory with ca.crt, server.crt and server.key, as made by roram server"
              + " init-certs. Clients must show a certificate of that authority.")
  @Nullable Path certificates;

  @In(HelpSection.MORE)
  @Option(
      names = "--name",
      paramLabel = "EXPORT",
      defaultValue = "",
      description = "Name of the export. A client that names no export gets it, too.")
  String name;

  @In(HelpSection.MORE)
  @Option(
      names = "--class",
      paramLabel = "I",
      description =
          "Make every access 2^I blocks long, so that the store sees the number of requests but"
              + " not their lengths.")
  @Nullable Integer sizeClass;

  @Mixin InFlightOption inFlight;

  @Option(
      names = "--read-only",
      description = "Refuse writes. The store itself is still written to.")
  boolean readOnly;

  @In(HelpSection.MORE)
  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description =
          "What completed requests survive: flush (power failures, if they were flushed, as"
              + " with a disk; the default), sync (power failures), os or none (the default of schemes"
              + " without a journal, as path).")
  @Nullable Durability durability;

  NbdCommand() {
    super(StoreUse.OPEN);
  }

  @Override
  public Integer call() throws IOException {
    NbdService.Settings settings = settings();
    ErrorLog.ofService(roram.quiet());
    NbdService service = new NbdService(settings, roram.environment());
    ServiceLife.endWithProcess("roram-nbd-end", () -> ExitCodes.ofService(service.end()));
    roram.answer("Listening at " + service.uri());
    service.awaitClosed();
    return ExitCodes.OK;
  }

  private NbdService.Settings settings() throws IOException {
    if (config != null) {
      refuseOthers();
      return NbdService.Settings.read(config);
    }
    if (storeUri == null) {
      throw new UsageException("give STORE, or --config FILE for several");
    }
    if ((socket == null) == (listen == null)) {
      throw new UsageException("give one of --socket PATH and --listen HOST:PORT");
    }
    if (anyone && (socket != null || certificates != null)) {
      throw new UsageException(
          "--anyone-on-this-machine lets in who shows nothing: leave it out, or --socket and --tls");
    }
    if (sizeClass != null && sizeClass < 0) {
      throw new UsageException(
          "--class is " + sizeClass + ", must be 0 or more; leave it out for no class");
    }
    NbdService.Settings.Served served =
        new NbdService.Settings.Served(
            name,
            "",
            storeUri,
            store.options(storeUri, roram.environment()),
            keys,
            opening,
            durability,
            sizeClass == null ? -1 : sizeClass,
            inFlight.checked(),
            readOnly);
    return new NbdService.Settings(
        socket != null
            ? UnixDomainSocketAddress.of(socket.toAbsolutePath())
            : HostPort.parse(String.valueOf(listen)).resolve(),
        certificates == null ? null : NbdService.Settings.tls(certificates),
        anyone,
        List.of(served));
  }

  private void refuseOthers() {
    Stream<String> options =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .filter(given -> !given.inherited())
            .map(OptionSpec::longestName)
            .filter(name -> !name.equals("--config"));
    List<String> others =
        Stream.concat(Stream.ofNullable(storeUri).map(uri -> "STORE"), options).toList();
    if (!others.isEmpty()) {
      throw new UsageException("--config holds everything: leave out " + String.join(", ", others));
    }
  }
}
