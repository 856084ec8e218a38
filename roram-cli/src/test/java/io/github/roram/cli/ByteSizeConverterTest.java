package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ByteSizeConverterTest {

  private final ByteSizeConverter converter = new ByteSizeConverter();

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "512B, 512",
    "4K, 4096",
    "4k, 4096",
    "4KB, 4096",
    "4KiB, 4096",
    "64M, 67108864",
    "1 GiB, 1073741824",
    "2T, 2199023255552",
    "2^18, 262144",
    "2^2K, 4096",
    "10^3, 1000",
    "2^62, 4611686018427387904",
    "9223372036854775807, 9223372036854775807"
  })
  void sizes(String text, long bytes) {
    assertThat(converter.convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "K", "-1", "1.5K", "4X", "4KiBB", "0x10", "2^", "2^63", "9^99", "9999999T"})
  void notSizes(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "99999999999999999999", "2^100", "2^63"})
  void tooLarge(String text) {
    assertThatThrownBy(() -> converter.convert(text)).hasMessageContaining("more than 2^63 - 1");
  }

  @Property
  void digitsAreThemselves(@ForAll @LongRange(min = 0, max = 999_999_999_999_999_999L) long bytes) {
    assertThat(converter.convert(Long.toString(bytes))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "1023, 1023 B", "1536, 1.50 KiB", "1073741824, 1 GiB"})
  void formatted(long bytes, String text) {
    assertThat(ByteSizeConverter.format(bytes)).isEqualTo(text);
  }
}
