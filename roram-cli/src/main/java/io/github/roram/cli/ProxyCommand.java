package io.github.roram.cli;

import io.github.roram.OpenOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code roram proxy}: shares a store with many clients. */
@Command(
    name = "proxy",
    header = "Share a store with many clients.",
    description = {
      "",
      "Clients read and write through the proxy, many requests at a time: with roram read,"
          + " write, import, export and load at proxy://HOST:PORT, or with the Java client. The"
          + " proxy belongs on the trusted side: it has the key, and clients see the data. It"
          + " serves until it is stopped (SIGTERM, SIGINT); it then answers the current"
          + " requests, closes the store and exits with code 0. See docs/proxy.md.",
      "",
      "Off loopback, clients connect with TLS and prove who they are with a certificate of"
          + " the authority or a token. On loopback, a token is enough, or"
          + " --anyone-on-this-machine lets all local users in. With --rate the store sees"
          + " accesses at fixed times, whether or not a client asks for one.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram server add-token --tokens tokens --client alice --out alice.token",
      "  roram proxy file:/data/vault --listen 127.0.0.1:7430 --key-file my.key \\",
      "    --tokens tokens",
      "  roram proxy tls://blocks.example.org:7420/vault --key-file my.key \\",
      "    --ca ca.crt --client-cert me.crt --client-key me.key \\",
      "    --listen 0.0.0.0:7430 --certs certs --allow alice,bob",
      "  roram proxy file:/data/vault --listen 127.0.0.1:7430 --key-file my.key \\",
      "    --anyone-on-this-machine --rate 50 --class 4"
    })
final class ProxyCommand extends StoreCommand {

  @Mixin SharingOptions sharing;

  @Override
  OpenOptions openOptions() throws IOException {
    return sharing.in(super.openOptions());
  }

  @Override
  public Integer call() throws IOException {
    sharing.serve(this, ProxyService.Front.PROXY);
    return ExitCodes.OK;
  }
}
