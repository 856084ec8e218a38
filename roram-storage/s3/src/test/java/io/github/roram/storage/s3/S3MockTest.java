package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.roram.object.ObjectSelfTest;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.UnsafeObjectsException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server that lets several clients create one object, where it is: {@code S3MOCK=JAR}. */
@Tag("soak")
final class S3MockTest {

  @Test
  void isRefusedByName(@TempDir Path directory) throws Exception {
    String jar = System.getenv("S3MOCK");
    assumeTrue(jar != null, "S3MOCK names no jar");
    try (KillableS3 mock = KillableS3.mock(Path.of(jar), directory);
        ObjectSpace objects = mock.server().withBucket().objects(S3Server.BUCKET, "unsafe")) {
      assertThatThrownBy(() -> ObjectSelfTest.run(objects, "self"))
          .isInstanceOf(UnsafeObjectsException.class)
          .hasMessageContaining("s3:" + S3Server.BUCKET + "/unsafe")
          .hasMessageContaining("created one object at the same time");
    }
  }
}
