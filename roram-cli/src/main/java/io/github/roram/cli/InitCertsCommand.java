package io.github.roram.cli;

import io.github.roram.netserver.tls.CertificateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code roram server init-certs}: a private authority and certificates. */
@Command(
    name = "init-certs",
    header = "Make an authority, and certificates for a server and its clients.",
    description = {
      "",
      "In a new directory: makes an authority (ca.crt, ca.key), the server's certificate"
          + " (server.crt, server.key; valid for loopback and for each --host), and one"
          + " certificate for each --client, whose name is the identity in access lists. In a"
          + " directory that has an authority: makes what --host and --client ask for. Nothing is"
          + " overwritten, and only you can read the private keys (mode 600).",
      "",
      "The server needs ca.crt, server.crt and server.key; a client needs ca.crt, NAME.crt"
          + " and NAME.key. Whoever has ca.key can pretend to be any client: keep it somewhere"
          + " else.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram server init-certs --dir certs --host blocks.example.org \\",
      "    --client alice",
      "  One more client, later:",
      "    roram server init-certs --dir certs --client bob"
    })
final class InitCertsCommand implements Callable<Integer> {

  @ParentCommand ServerCommand server;

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "Directory of the certificates; created if it does not exist.")
  Path directory;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "DNS name or IP address at which clients reach the server.")
  @Nullable List<String> hosts;

  @Option(names = "--client", paramLabel = "NAME", description = "A client's identity.")
  @Nullable List<String> clients;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "365",
      description =
          "Days for which the certificates are valid, up to 3650 (default: ${DEFAULT-VALUE}).")
  int days;

  @Override
  public Integer call() throws IOException {
    CertificateDirectory certificates = new CertificateDirectory(directory, InstantSource.system());
    List<String> names = clients == null ? List.of() : clients;
    boolean first = !certificates.hasAuthority();
    if (!first && names.isEmpty() && hosts == null) {
      throw new UsageException(
          directory + " has an authority already; say what it is to sign: --client or --host");
    }
    List<String> serverHosts = hosts == null && first ? List.of() : hosts;
    for (Path file : certificates.issue(serverHosts, names, days)) {
      server.roram.note("Wrote " + file);
    }
    return ExitCodes.OK;
  }
}
