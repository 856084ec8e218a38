package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("properties of the whole JVM are changed")
final class S3PlaceTest {

  @Test
  void isReadFromAUri() {
    ObjectPlace place = S3ObjectsProvider.PLACES.read("my.bucket-1/a/b-2");
    assertThat(place).isEqualTo(new ObjectPlace("s3", "my.bucket-1", "a/b-2"));
    assertThat(place.name(place.key("x/y"))).isEqualTo("x/y");
    assertThat(place).hasToString("s3:my.bucket-1/a/b-2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "bucket", "bucket/", "b/prefix", "Bucket/prefix", "bucket/a//b", "bucket/A"})
  void isRefusedWithItsForm(String location) {
    assertThatThrownBy(() -> S3ObjectsProvider.PLACES.read(location))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"s3:" + location + "\"")
        .hasMessageContaining("s3:BUCKET/PREFIX");
  }

  @Test
  void directoryBucketIsRefusedByName() {
    S3ObjectsProvider s3 = new S3ObjectsProvider();
    StoreOptions options = S3Server.at(9).options();
    String location = "bucket--use1-az4--x-s3/p";
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> s3.open(location, options), () -> s3.traits(location, options))) {
      assertThatThrownBy(use)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("bucket--use1-az4--x-s3")
          .hasMessageContaining("general purpose bucket");
    }
  }

  @Test
  void pricesAreAmazonsButNotElsewhere() {
    StoreOptions options = StoreOptions.defaults();
    assertThat(S3Objects.traits(options).prices().millionPuts()).isEqualTo(5);
    StoreOptions elsewhere = options.with(S3Options.ENDPOINT, "http://127.0.0.1:9000");
    assertThat(S3Objects.traits(elsewhere).prices().millionPuts()).isZero();
  }

  /** The SDK looks there one after another, and the first that is set decides. */
  @Test
  void withoutARegionTheRemedyIsNamed() {
    Map<String, String> nowhere =
        Map.of(
            "aws.accessKeyId", S3Server.ACCESS_KEY,
            "aws.secretAccessKey", S3Server.SECRET_KEY,
            // Before AWS_REGION of the environment, and not a region.
            "aws.region", "",
            "aws.configFile", "target/no-such-file",
            "aws.sharedCredentialsFile", "target/no-such-file",
            "aws.disableEc2Metadata", "true");
    Properties before = (Properties) System.getProperties().clone();
    try {
      nowhere.forEach(System::setProperty);
      assertThatThrownBy(() -> new S3ObjectsProvider().open("bucket/p", StoreOptions.defaults()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("s3-region")
          .hasMessageContaining("AWS_REGION");
    } finally {
      System.setProperties(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:9000", "ftp://host", "http:///x", "http://a b"})
  void endpointMustBeAUrl(String text) {
    assertThatThrownBy(
            () -> S3Options.endpoint(StoreOptions.defaults().with(S3Options.ENDPOINT, text)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(text);
  }
}
