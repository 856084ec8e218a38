package io.github.roram.auditor.workload;

import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.storage.view.ViewRecorder;
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

/** A place with everything that it needs in a directory of its own. */
final class TemporaryPlace implements Place {

  private static final String NAME = "roram-audit-";
  private static final String CLIENT = "auditor";
  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private final Path directory;
  private final Place place;
  private final Closeable server;
  private final String about;

  private TemporaryPlace(Path directory, Place place, Closeable server, String about) {
    this.directory = directory;
    this.place = place;
    this.server = server;
    this.about = about;
  }

  static Place files(Path parent) throws IOException {
    Path directory = Files.createTempDirectory(parent, NAME);
    Place place =
        new UriPlace("file:" + directory.resolve("store"), StoreOptions.defaults(), directory);
    return new TemporaryPlace(directory, place, () -> {}, "files, the vault beside them");
  }

  static Place tlsServer(Path parent) throws IOException {
    Path directory = Files.createTempDirectory(parent, NAME);
    try {
      CertificateDirectory certificates =
          new CertificateDirectory(directory.resolve("certs"), InstantSource.system());
      certificates.issue(List.of(), List.of(CLIENT), 1);
      TlsFiles client = certificates.files(CLIENT);
      OperatedServer server =
          OperatedServer.start(
              ServerSettings.openToCertified(
                  ANY_PORT,
                  directory.resolve("server"),
                  certificates.files(CertificateDirectory.SERVER)));
      StoreOptions options = RemoteOptions.defaults().withTls(client).storeOptions();
      String uri = "tls://" + server.hostPort() + "/" + CLIENT;
      Place place = new UriPlace(uri, options, directory);
      return new TemporaryPlace(directory, place, server, "a block server over TLS, on loopback");
    } catch (IOException | RuntimeException e) {
      deleteAll(directory);
      throw e;
    }
  }

  @Override
  public NewStore newStore(long capacityBytes, ViewRecorder recorder) throws IOException {
    return place.newStore(capacityBytes, recorder);
  }

  @Override
  public String toString() {
    return about;
  }

  @Override
  public void close() throws IOException {
    try {
      server.close();
    } finally {
      deleteAll(directory);
    }
  }

  private static void deleteAll(Path directory) throws IOException {
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
