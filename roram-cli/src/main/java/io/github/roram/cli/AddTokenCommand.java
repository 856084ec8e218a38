package io.github.roram.cli;

import io.github.roram.client.SecretFile;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.access.TokenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code roram server add-token}: a token instead of a certificate. */
@Command(
    name = "add-token",
    header = "Make a token with which a client proves who it is.",
    description = {
      "",
      "Adds a line with the token's hash to the server's token file, and writes the token itself to"
          + " a new file for the client, readable by you alone. A running server accepts the"
          + " token after two seconds. To take a token back, delete its line.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram server add-token --tokens tokens --client alice --out alice.token"})
final class AddTokenCommand implements Callable<Integer> {

  @ParentCommand ServerCommand server;

  @Option(
      names = "--tokens",
      required = true,
      paramLabel = "FILE",
      description = "The server's token file; created if it does not exist.")
  Path tokens;

  @Option(
      names = "--client",
      required = true,
      paramLabel = "NAME",
      description = "The client's identity, as in access lists.")
  String client;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "New file with the token, for the client.")
  Path out;

  @Override
  public Integer call() throws IOException {
    if (Files.exists(out)) {
      throw new UsageException(out + " exists and is not overwritten; choose another file");
    }
    String token = TokenFile.newToken();
    // First: a line whose token nobody has would stay.
    SecretFile.create(out, (token + "\n").getBytes(StandardCharsets.US_ASCII));
    boolean added = false;
    try {
      TokenFile.add(tokens, new ClientIdentity(client), token);
      added = true;
    } finally {
      if (!added) {
        Files.deleteIfExists(out);
      }
    }
    server.roram.note("Wrote " + out + "; give it to " + client + " over a safe way");
    return ExitCodes.OK;
  }
}
