package io.github.roram.storage.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The same on versitygw, where it is: {@code VERSITYGW=PROGRAM}. */
@Tag("gate")
@NullUnmarked // started before all
final class VersityGwTest extends S3ObjectsTest {

  private static KillableS3 gateway;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException, InterruptedException {
    assumeTrue(KillableS3.versityProgram().isPresent(), "versitygw is not here");
    gateway = KillableS3.versity(KillableS3.versityProgram().get(), directory);
    gateway.server().withBucket();
  }

  @AfterAll
  static void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Override
  S3Server server() {
    return gateway.server();
  }
}
