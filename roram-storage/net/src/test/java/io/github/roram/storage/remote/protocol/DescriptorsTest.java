package io.github.roram.storage.remote.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Failure;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeExtend;
import io.github.roram.storage.remote.protocol.Message.VolumeInfo;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen.Mode;
import io.github.roram.storage.remote.protocol.Message.VolumeOpened;
import io.github.roram.storage.remote.protocol.Message.VolumeService;
import io.github.roram.storage.remote.protocol.Message.VolumeUse;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.storage.remote.protocol.VolumePage.Listed;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreParts.Part;
import io.github.roram.store.XorGroups;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The bytes of the wire: as documented, there and back, and nothing else. */
final class DescriptorsTest {

  /** Writes a payload. */
  @FunctionalInterface
  private interface Encoder {
    void encode(ByteBuf out);
  }

  private static ByteBuf bytes(Encoder encoder) {
    ByteBuf out = Unpooled.buffer();
    encoder.encode(out);
    return out;
  }

  private static void golden(Encoder encoder, String hex) {
    assertThat(ByteBufUtil.hexDump(bytes(encoder))).isEqualTo(hex);
  }

  @Test
  void bytesAreThoseOfTheDocument() {
    ExtentBatch extents = Batches.of(4096, 0x1122334455L, 3);
    LeaseToken token = new LeaseToken(1, 2);
    golden(
        new FrameDescriptor(FrameType.READ, FrameDescriptor.LAST, 5, 20, 0x01020304)::encode,
        "524f524d0206000100000000000000050000001401020304" + "2fe9b2a6");
    golden(new Hello(1, 2, 4096, new byte[] {7, 8})::encode, "000100020000100000020708");
    golden(
        new Welcome(1, 4096, 1 << 20, 9, 0x0A)::encode,
        "000100001000000000000010000000000009000000000000000a");
    golden(
        out -> ExtentsDescriptor.encode(extents, out),
        "000010000000000100000011223344550000" + "0003");
    golden(
        out -> XorDescriptor.encode(extents, new XorGroups(4096, 28, 16).add(1).add(2), out),
        "000010000000000100000011223344550000" + "0003" + "001c0010" + "00000002" + "00010002");
    golden(new Failure(ErrorCode.FULL, "ab")::encode, "000200026162");
    golden(new VolumeName("v")::encode, "000176");
    golden(new VolumeCreate("v", 3, 4)::encode, "00017600000000000000030000000000000004");
    golden(
        new VolumeOpen("v", "me", token, Mode.ACQUIRE)::encode,
        "00017600026d650000000000000001000000000000000201");
    golden(
        new VolumeOpened(9, token, 3, 4, List.of(new byte[64]))::encode,
        "0000000000000009"
            + "00000000000000010000000000000002"
            + "0000000000000003"
            + "0000000000000004"
            + "01"
            + "00".repeat(64));
    golden(new VolumeExtend(9)::encode, "0000000000000009");
    golden(new VolumeInfo(9, true)::encode, "000000000000000901");
    golden(
        new VolumeUse(16, List.of(new Part(5, 7)))::encode,
        "0010" + "00000001" + "0000000000000005" + "0000000000000007");
    golden(
        new VolumePage(List.of(new Listed("v", 9, true, "me")), true)::encode,
        "010001" + "000176" + "0000000000000009" + "01" + "00026d65");
    golden(new VolumeService(16, 7)::encode, "0010" + "0000000000000007");
  }

  @Test
  void whatIsWrittenIsReadAndATruncatedOrLongerPayloadIsRefused() throws ProtocolException {
    LeaseToken token = new LeaseToken(-1, 2);
    Hello hello = new Hello(1, 1, 5000, new byte[3]);
    Welcome welcome = new Welcome(1, 5000, 1, 1, -5);
    VolumeOpen open = new VolumeOpen("v", "me", token, Mode.TAKE_OVER);
    VolumeOpened opened = new VolumeOpened(1, token, 2, -3, List.of());
    assertThat(Hello.decode(bytes(hello::encode))).isEqualTo(hello);
    assertThat(Welcome.decode(bytes(welcome::encode))).isEqualTo(welcome);
    assertThat(VolumeOpen.decode(bytes(open::encode))).isEqualTo(open);
    assertThat(VolumeOpened.decode(bytes(opened::encode))).isEqualTo(opened);
    ByteBuf whole = bytes(open::encode);
    for (int length = 0; length < whole.readableBytes(); length++) {
      ByteBuf part = whole.slice(0, length);
      assertThatThrownBy(() -> VolumeOpen.decode(part)).isInstanceOf(ProtocolException.class);
    }
    assertThatThrownBy(() -> VolumeOpen.decode(whole.writeByte(0)))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("1 bytes too long");
  }

  @Test
  void aPageOfVolumesIsWhatFitsAndNoServerCanHaveItReadForEver() throws ProtocolException {
    String creator = "c".repeat(64);
    List<Listed> all =
        IntStream.range(0, 1000)
            .mapToObj(i -> new Listed("v%063d".formatted(i), i, i % 2 == 0, creator))
            .toList();
    List<Listed> read = new ArrayList<>();
    boolean more = true;
    while (more) {
      String after = read.isEmpty() ? "" : read.get(read.size() - 1).name();
      ByteBuf page =
          bytes(VolumePage.firstOf(all.subList(read.size(), all.size()).iterator())::encode);
      assertThat(page.readableBytes()).isLessThanOrEqualTo(Welcome.MIN_PAYLOAD_BYTES);
      VolumePage decoded = VolumePage.decode(page, after);
      read.addAll(decoded.volumes());
      more = decoded.more();
    }
    assertThat(read).isEqualTo(all);
    assertRefused(new VolumePage(List.of(new Listed("b", 1, false, "")), false), "b");
    assertRefused(
        new VolumePage(
            List.of(new Listed("b", 1, false, ""), new Listed("a", 1, false, "")), false),
        "");
    assertRefused(new VolumePage(List.of(new Listed("B", 1, false, "")), false), "");
    assertRefused(new VolumePage(List.of(), true), "");
  }

  private static void assertRefused(VolumePage page, String after) {
    assertThatThrownBy(() -> VolumePage.decode(bytes(page::encode), after))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void theUseOfAVolumeIsReadAndWhatCannotBeIsRefused() throws ProtocolException {
    VolumeUse use = new VolumeUse(VolumeUse.MAX_READS, List.of(new Part(8, 4), new Part(0, 8)));
    assertThat(VolumeUse.decode(bytes(use::encode))).isEqualTo(use);
    VolumeService service = new VolumeService(3, 1L << 40);
    assertThat(VolumeService.decode(bytes(service::encode))).isEqualTo(service);
    refusedUse(bytes(use::encode).writeByte(0));
    refusedUse(bytes(use::encode).readSlice(20));
    refusedUse(bytes(new VolumeUse(0, List.of())::encode));
    refusedUse(Unpooled.buffer().writeShort(1).writeInt(-1));
    refusedUse(Unpooled.buffer().writeShort(1).writeInt(Integer.MAX_VALUE));
    for (long[] part : new long[][] {{-1, 1}, {0, 0}, {0, -1}, {1, Long.MAX_VALUE}}) {
      refusedUse(bytes(new VolumeUse(1, List.of(new Part(part[0], part[1])))::encode));
    }
  }

  private static void refusedUse(ByteBuf payload) {
    assertThatThrownBy(() -> VolumeUse.decode(payload)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void extentsAreBoundedBeforeTheyAreTaken() {
    ExtentBatch target = new ExtentBatch();
    ByteBuf many = Unpooled.buffer().writeInt(1).writeInt(1_000_000);
    assertThatThrownBy(() -> ExtentsDescriptor.decode(many, target, 100, 1000))
        .isInstanceOf(ExtentsDescriptor.TooLargeException.class)
        .hasMessageContaining("1000000")
        .hasMessageContaining("100");
    ByteBuf large = bytes(out -> ExtentsDescriptor.encode(Batches.of(10, 0, 101), out));
    assertThatThrownBy(() -> ExtentsDescriptor.decode(large, target, 100, 1000))
        .isInstanceOf(ExtentsDescriptor.TooLargeException.class);
  }

  @Test
  void groupsOfUnitsAreReadAndWhatCannotBeIsRefused() throws Exception {
    ExtentBatch extents = Batches.of(100, 0, 3, 1000, 2);
    ExtentBatch target = new ExtentBatch();
    XorGroups groups = groups(bytes(out -> XorDescriptor.encode(extents, xor(2, 3), out)), target);
    assertThat(target.toString()).contains("2 extents, 500 bytes");
    assertThat(new int[] {groups.units(0), groups.units(1), groups.groups()})
        .containsExactly(2, 3, 2);
    assertThat(new int[] {groups.headBytes(), groups.tailBytes()}).containsExactly(28, 16);
    for (XorGroups bad : List.of(xor(), xor(5, 1), xor(2, 2))) {
      assertThatThrownBy(
              () -> groups(bytes(out -> XorDescriptor.encode(extents, bad, out)), target))
          .isInstanceOf(ProtocolException.class);
    }
    ByteBuf long16 = bytes(out -> XorDescriptor.encode(extents, xor(5), out));
    assertThatThrownBy(() -> XorDescriptor.decode(long16.copy(), target, 10, 1000, 275))
        .isInstanceOf(ExtentsDescriptor.TooLargeException.class)
        .hasMessageContaining("276");
    assertThat(XorDescriptor.decode(long16.copy(), target, 10, 1000, 276).bytes()).isEqualTo(276);
    assertThatThrownBy(() -> groups(long16.copy().writeByte(0), target))
        .isInstanceOf(ProtocolException.class);
    ExtentBatch wide = Batches.of(4 << 20, 0, 5);
    ByteBuf five = bytes(out -> XorDescriptor.encode(wide, new XorGroups(9, 0, 0).add(5), out));
    assertThatThrownBy(() -> XorDescriptor.decode(five, target, 10, 1L << 30, 1 << 30))
        .isInstanceOf(ExtentsDescriptor.TooLargeException.class)
        .hasMessageContaining("16777216");
    ByteBuf many = bytes(out -> ExtentsDescriptor.encode(extents, out));
    many.writeShort(28).writeShort(16).writeInt(Integer.MAX_VALUE);
    assertThatThrownBy(() -> groups(many, target))
        .isInstanceOf(ExtentsDescriptor.TooLargeException.class);
    ByteBuf ends = bytes(out -> ExtentsDescriptor.encode(extents, out));
    ends.writeShort(84).writeShort(16).writeInt(1).writeShort(5);
    assertThatThrownBy(() -> groups(ends, target)).isInstanceOf(ProtocolException.class);
  }

  private static XorGroups groups(ByteBuf payload, ExtentBatch target) throws Exception {
    return XorDescriptor.decode(payload, target, 10, 1000, 1000);
  }

  private static XorGroups xor(int... units) {
    XorGroups groups = new XorGroups(100, 28, 16);
    for (int count : units) {
      groups.add(count);
    }
    return groups;
  }

  /** However the stream is cut, the frames are the same. */
  @Property(tries = 100)
  void framesSurviveEveryCut(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] payloads = new byte[5][];
    ByteBuf stream = Unpooled.buffer();
    for (int i = 0; i < payloads.length; i++) {
      payloads[i] = Batches.noise(random.nextInt(3) * random.nextInt(5000), seed + i);
      stream.writeBytes(
          FrameDescriptor.frame(
              new UnpooledByteBufAllocator(false),
              FrameType.DATA,
              0,
              i,
              Unpooled.wrappedBuffer(payloads[i])));
    }
    EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(20_000));
    while (stream.isReadable()) {
      int bytes = Math.min(stream.readableBytes(), 1 + random.nextInt(2000));
      channel.writeInbound(Unpooled.copiedBuffer(stream.readSlice(bytes)));
    }
    for (int i = 0; i < payloads.length; i++) {
      Frame frame = channel.readInbound();
      assertThat(frame.requestId()).isEqualTo(i);
      assertThat(ByteBufUtil.getBytes(frame.payload())).isEqualTo(payloads[i]);
      frame.release();
    }
    channel.finishAndReleaseAll();
  }

  @Test
  void everyFlippedBitOfAFrameIsNoticed() {
    ByteBuf frame =
        FrameDescriptor.frame(
            new UnpooledByteBufAllocator(false),
            FrameType.DATA,
            0,
            1,
            Unpooled.wrappedBuffer(Batches.noise(40, 1)));
    for (int bit = 0; bit < 8 * frame.readableBytes(); bit++) {
      ByteBuf flipped = Unpooled.copiedBuffer(frame);
      flipped.setByte(bit / 8, flipped.getByte(bit / 8) ^ 1 << bit % 8);
      EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(1000));
      assertThatThrownBy(
              () -> {
                channel.writeInbound(flipped);
                channel.checkException();
              })
          .isInstanceOf(ProtocolException.class);
      channel.finishAndReleaseAll();
    }
  }
}
