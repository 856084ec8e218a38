package io.github.roram.storage.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** S3Proxy in this JVM: one for all tests, started by the first that wants it. */
final class InProcess {

  private InProcess() {}

  /** The server, which has one bucket. */
  static S3Server server() {
    return Holder.SERVER;
  }

  /** Starts one on files of a directory, at any port that is free if it is 0. */
  private static S3Server start(Path directory, int port) {
    S3Proxy proxy =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(directory.toString()))
            .endpoint(URI.create("http://127.0.0.1:" + port))
            .awsAuthentication(
                AuthenticationType.AWS_V2_OR_V4, S3Server.ACCESS_KEY, S3Server.SECRET_KEY)
            .build();
    try {
      proxy.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return S3Server.at(proxy.getPort());
  }

  /** The same in a process of its own: says its port, and runs until it is killed. */
  static final class Main {
    public static void main(String[] arguments) {
      S3Server server = start(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
      System.out.println(server.endpoint().getPort());
    }
  }

  private static final class Holder {
    static final S3Server SERVER = start(temporary(), 0).withBucket();

    private static Path temporary() {
      try {
        return Files.createTempDirectory(Path.of("target"), "s3proxy").toAbsolutePath();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
