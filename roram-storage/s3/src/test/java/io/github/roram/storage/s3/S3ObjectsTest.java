package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.testkit.ObjectSpaceContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What S3 has that other engines have not: parts, pages of names, and buckets that are missing. */
class S3ObjectsTest extends ObjectSpaceContract {

  private final ObjectSpace objects = server().objects(S3Server.BUCKET, "t/" + UUID.randomUUID());

  @Override
  protected ObjectSpace newSpace() {
    return server().objects(S3Server.BUCKET, "t/" + UUID.randomUUID());
  }

  /** A server that has the bucket. */
  S3Server server() {
    return InProcess.server();
  }

  @AfterEach
  void close() throws IOException {
    objects.close();
  }

  private static ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** More than is written as a whole, and not a multiple of a part. */
  @Test
  @Tag("gate")
  void largeObjectIsWrittenInParts() throws IOException {
    ByteBuffer large = bytes((16 << 20) + 12_345);
    objects.put("large", large);
    assertThat(large.position()).isZero();
    byte[] whole = objects.readWhole("large", ObjectSpace.OBJECT_BYTES);
    assertThat(ByteBuffer.wrap(whole)).isEqualTo(large);
    ByteBuffer middle = ByteBuffer.allocateDirect(1000);
    assertThat(objects.read("large", (8 << 20) - 500, middle)).isEqualTo(1000);
    assertThat(middle.flip()).isEqualTo(large.slice((8 << 20) - 500, 1000));
  }

  @Test
  void bufferNeedNotBeAnArrayFromItsStart() throws IOException {
    ByteBuffer some = bytes(3000);
    objects.put("slice", some.slice(1000, 700));
    ByteBuffer direct = ByteBuffer.allocateDirect(700).put(some.slice(1000, 700)).flip();
    objects.put("direct", direct);
    for (String name : List.of("slice", "direct")) {
      assertThat(ByteBuffer.wrap(objects.readWhole(name, 1000))).isEqualTo(some.slice(1000, 700));
    }
    assertThat(objects.createOnce("slice", direct)).isTrue();
    assertThat(objects.createOnce("slice", some.slice(1000, 699))).isFalse();
    assertThat(objects.createOnce("slice", some.slice(1000, 701))).isFalse();
  }

  @Test
  @Tag("gate")
  void manyNamesComeInPagesAndAreDeletedInBatches() throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 1003; i++) {
      names.add(String.format("many/%06x", i));
    }
    for (String name : names) {
      objects.put(name, bytes(1));
    }
    List<String> seen = new ArrayList<>();
    objects.forEach("many/", "", seen::add);
    assertThat(seen).isEqualTo(names);
    objects.delete(names);
    assertThat(objects.list("many/", "")).isEmpty();
  }

  @Test
  void missingBucketIsNoMissingObject() {
    ObjectSpace nowhere = server().objects("no-such-bucket", "p");
    assertThatThrownBy(() -> nowhere.readWhole("x", 10))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NoSuchObjectException.class)
        .hasMessageContaining("no-such-bucket")
        .hasMessageContaining("create it");
    assertThatThrownBy(() -> nowhere.put("x", bytes(10))).hasMessageContaining("create it");
  }
}
