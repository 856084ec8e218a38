package io.github.roram.storage.remote.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.remote.protocol.Message.Failure;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.store.PrintableText;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Text from the network does nothing to a terminal or a log. */
final class PrintableTextTest {

  @Test
  void whatPeopleReadStaysAsItIs() {
    String text = "volume vault is held by Zoë's client (ünïcode, 漢字, emoji \uD83D\uDE00), 100 %";
    assertThat(PrintableText.of(text)).isEqualTo(text);
    assertThat(PrintableText.of("")).isEmpty();
    assertThat(PrintableText.of(null)).isEqualTo("null");
  }

  @Test
  void whatATerminalObeysIsReplaced() {
    assertThat(PrintableText.of("a\u001b[2Jb")).isEqualTo("a\uFFFD[2Jb");
    assertThat(PrintableText.of("a\r\nb\tc")).isEqualTo("a\uFFFD\uFFFDb\uFFFDc");
    assertThat(PrintableText.of("a\u009bb\u0085c\u007fd")).isEqualTo("a\uFFFDb\uFFFDc\uFFFDd");
    assertThat(PrintableText.of("a\u202eb\u2066c\u200fd\u061ce"))
        .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe");
    assertThat(PrintableText.of("a\u2028b\u2029c")).isEqualTo("a\uFFFDb\uFFFDc");
    assertThat(PrintableText.of("a\uD800b")).isEqualTo("a\uFFFDb");
    assertThat(PrintableText.of("a\uDB40\uDC41b")).isEqualTo("a\uFFFDb"); // an invisible tag
  }

  @Test
  void lengthIsBounded() {
    String longest = "x".repeat(PrintableText.MAX_CHARS);
    assertThat(PrintableText.of(longest)).isEqualTo(longest);
    assertThat(PrintableText.of(longest + "y")).isEqualTo(longest + "...");
    assertThat(PrintableText.of("\uD83D\uDE00".repeat(PrintableText.MAX_CHARS)))
        .hasSizeLessThan(PrintableText.MAX_CHARS + 10);
  }

  /** Whatever the bytes are, and whichever text of the protocol they stand in. */
  @Property(tries = 300)
  void everyTextOfTheProtocolIsPrintable(@ForAll byte[] bytes) throws ProtocolException {
    byte[] some = Arrays.copyOf(bytes, Math.min(bytes.length, VolumeName.MAX_NAME_BYTES));
    var text = Unpooled.buffer().writeShort(some.length).writeBytes(some);
    var error = Unpooled.buffer().writeShort(1).writeBytes(text.duplicate());
    assertPrintable(Failure.decode(error).message());
    assertPrintable(VolumeName.decode(text.duplicate()).name());
    var create = text.copy().writeLong(1).writeLong(2);
    assertPrintable(VolumeCreate.decode(create).name());
    var open = text.copy().writeBytes(text.duplicate()).writeLong(1).writeLong(2).writeByte(1);
    VolumeOpen opened = VolumeOpen.decode(open);
    assertPrintable(opened.name());
    assertPrintable(opened.holder());
  }

  private static void assertPrintable(String text) {
    assertThat(text).matches("[\\P{C}&&[^\\p{Zl}\\p{Zp}]]*");
  }

  @Test
  void aNameThatWasCleanedIsNoName() throws ProtocolException {
    var text = Unpooled.buffer().writeShort(3).writeBytes(new byte[] {'a', 27, 'b'});
    assertThat(VolumeName.isValid(VolumeName.decode(text).name())).isFalse();
  }
}
