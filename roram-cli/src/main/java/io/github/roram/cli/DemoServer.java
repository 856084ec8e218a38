package io.github.roram.cli;

import io.github.roram.bench.demo.Demo.DemoPlace;
import io.github.roram.bench.demo.DemoOptions.DemoMedium;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block server on loopback, in this process, with everything that it needs in one directory. */
final class DemoServer implements Closeable {

  private static final String CLIENT = "demo";
  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private final OperatedServer server;
  private final DemoPlace place;

  private DemoServer(OperatedServer server, DemoPlace place) {
    this.server = server;
    this.place = place;
  }

  /** Starts one; with TLS, makes certificates for both sides first. */
  static DemoServer start(DemoMedium medium, Path directory) throws IOException {
    Path volumes = directory.resolve("server");
    RemoteOptions remote = RemoteOptions.defaults();
    ServerSettings settings = ServerSettings.openOnLoopback(ANY_PORT, volumes);
    if (medium == DemoMedium.TLS) {
      CertificateDirectory certificates =
          new CertificateDirectory(directory.resolve("certs"), InstantSource.system());
      certificates.issue(List.of(), List.of(CLIENT), 1);
      TlsFiles client = certificates.files(CLIENT);
      remote = remote.withTls(client);
      settings =
          ServerSettings.openToCertified(
              ANY_PORT, volumes, certificates.files(CertificateDirectory.SERVER));
    }
    OperatedServer server = OperatedServer.start(settings);
    StoreOptions options =
        remote.storeOptions().withStateDirectory(directory.resolve("client-state"));
    return new DemoServer(server, DemoPlace.server(medium, server.hostPort().toString(), options));
  }

  /** Where the demo makes its stores. */
  DemoPlace place() {
    return place;
  }

  @Override
  public void close() {
    server.close();
  }

  /** Deletes a directory with all that is in it. */
  static void deleteAll(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
