package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.stash.Stash;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes of each record, written and read. */
final class RecordDescriptorsTest {

  private static final int BLOCK_BYTES = 4;

  private static final String START =
      "04"
          + "00000003"
          + "41424344454647485152535455565758"
          + "21222324252627283132333435363738"
          + "0000000000000009"
          + "0000000000000011"
          + "61626364656667687172737475767778";
  private static final String INTENT =
      "01"
          + "0000000000000007"
          + "00000002"
          + "00000003"
          + "000000010000000500000006"
          + "ffffffff0000000700000008"
          + "0000000900000004ffffffff";
  private static final String ACCESS =
      "02"
          + "0000000000000007"
          + "00000002"
          + "00000001"
          + "0000000bb0b1b2b3"
          + "00000002"
          + "0000000cc0c1c2c3"
          + "0000000dd0d1d2d3";
  private static final String COMMIT =
      "03" + "00000002" + "00000010" + "00000003" + "00000002" + "0000000a" + "0000000b";

  private static final String GROW = "07" + "00000000b2d05e00";
  private static final String TRIMS = "06" + "00000002" + "0000000700000001" + "0000004000000010";

  /** What records say, in words. */
  private static final class Words implements JournalReplay {
    private final StringBuilder words = new StringBuilder();
    private int tombstoneBytes;

    @Override
    public void intent(Intent intent) {
      words
          .append("intent ")
          .append(intent.number())
          .append(" of tree ")
          .append(intent.tree())
          .append(Arrays.toString(intent.ranges()))
          .append(Arrays.toString(intent.labels()))
          .append(Arrays.toString(intent.freshLabels()));
    }

    @Override
    public void complete(long number, int tree) {
      words.append("complete ").append(number).append(" of tree ").append(tree);
    }

    @Override
    public void arrived(int tree, int address, DataInput data) throws IOException {
      words.append(", came ").append(address).append(hex(data));
    }

    @Override
    public void written(int address, DataInput data) throws IOException {
      words.append(", written ").append(address).append(hex(data));
    }

    private static String hex(DataInput data) throws IOException {
      byte[] block = new byte[BLOCK_BYTES];
      data.readFully(block);
      return " " + HexFormat.of().formatHex(block);
    }

    @Override
    public void evicted(int tree, int paths, int epoch) {
      words.append("tree " + tree + " evicted " + paths + " in epoch " + epoch);
    }

    @Override
    public void left(int tree, int address) {
      words.append(", left tree " + tree + ": " + address);
    }

    @Override
    public void tombstonesLeft(int tree, DataInput data) throws IOException {
      if (tombstoneBytes > 0) {
        byte[] which = new byte[tombstoneBytes];
        data.readFully(which);
        words.append(", tombstones of tree " + tree + ": " + HexFormat.of().formatHex(which));
      }
    }

    @Override
    public boolean note(DataInput note) throws IOException {
      words.append("note ").append(note.readUTF());
      return false;
    }

    @Override
    public void grown(long blocks) {
      words.append("grown to: " + blocks + "; ");
    }

    @Override
    public void trimmed(int first, int blocks) {
      words.append("trimmed " + first + " on: " + blocks + "; ");
    }
  }

  private static DataInputStream stream(String hex) {
    return new DataInputStream(new ByteArrayInputStream(HexFormat.of().parseHex(hex)));
  }

  private static String read(String hex) throws IOException {
    Words words = new Words();
    JournalRecord.replay(stream(hex), words);
    return words.words.toString();
  }

  private static String hex(RecordBuffer buffer) throws IOException {
    byte[] bytes = buffer.array();
    return HexFormat.of().formatHex(bytes, 0, buffer.size());
  }

  @Test
  void note() throws IOException {
    RecordBuffer buffer = new RecordBuffer();
    buffer.begin(JournalRecord.NOTE).writeUTF("abc");
    assertThat(hex(buffer)).isEqualTo("050003616263");
    assertThat(read("050003616263")).isEqualTo("note abc");
  }

  @Test
  void start() throws IOException {
    JournalChain.Start start =
        new JournalChain.Start(
            3,
            new UUID(0x4142434445464748L, 0x5152535455565758L),
            new RecordId(0x2122232425262728L, 0x3132333435363738L),
            new JournalChain.Link(9, 17, 0x6162636465666768L, 0x7172737475767778L));
    RecordBuffer buffer = new RecordBuffer();
    JournalRecord.writeStart(start, buffer.begin(JournalRecord.START));
    assertThat(hex(buffer)).isEqualTo(START);
    assertThat(JournalRecord.readStart(stream(START))).isEqualTo(start);
  }

  @Test
  void intent() throws IOException {
    Intent intent =
        new Intent(7, 2, new int[] {1, -1, 9}, new int[] {5, 7, 4}, new int[] {6, 8, -1});
    RecordBuffer buffer = new RecordBuffer();
    IntentDescriptor.write(intent, buffer.begin(JournalRecord.INTENT));
    assertThat(hex(buffer)).isEqualTo(INTENT);
    assertThat(buffer.size()).isEqualTo(1 + (int) IntentDescriptor.bytes(3));
    assertThat(read(INTENT)).isEqualTo("intent 7 of tree 2[1, -1, 9][5, 7, 4][6, 8, -1]");
    assertThat(new boolean[] {intent.relabels(0), intent.relabels(1), intent.relabels(2)})
        .containsExactly(true, false, false);
  }

  /** Where it is shown which accesses write, a bit of the tree says it; each read stays as long. */
  @Test
  void intentOfAnAccessThatIsShownToWrite() throws IOException {
    Intent reads = new Intent(7, 2, new int[] {1}, new int[] {5}, new int[] {6});
    RecordBuffer buffer = new RecordBuffer();
    IntentDescriptor.write(reads.shownToWrite(), buffer.begin(JournalRecord.INTENT));
    assertThat(hex(buffer))
        .isEqualTo(
            "01" + "0000000000000007" + "00008002" + "00000001" + "000000010000000500000006");
    assertThat(buffer.size()).isEqualTo(1 + (int) IntentDescriptor.bytes(1));
    DataInputStream in = stream(hex(buffer).substring(2));
    Intent read = IntentDescriptor.read(in, in.available());
    assertThat(read.tree()).isEqualTo(2);
    assertThat(read.writes()).isTrue();
    assertThat(reads.with(List.of(reads)).writes()).isFalse();
    assertThat(read.with(List.of(reads)).writes()).isTrue();
  }

  /** The reads of a map on the store stand behind that of data, which counts them. */
  @Test
  void intentWithReadsOfAMap() throws IOException {
    Intent top = new Intent(7, 3, new int[] {0}, new int[] {-1}, new int[] {2});
    Intent intent =
        new Intent(7, 1, new int[] {4}, new int[] {-1}, new int[] {6}).with(List.of(top));
    RecordBuffer buffer = new RecordBuffer();
    IntentDescriptor.write(intent, buffer.begin(JournalRecord.INTENT));
    String bytes =
        "01"
            + "0000000000000007"
            + "00010001"
            + "00000001"
            + "00000004"
            + "ffffffff"
            + "00000006"
            + "00000003"
            + "00000001"
            + "00000000"
            + "ffffffff"
            + "00000002";
    assertThat(hex(buffer)).isEqualTo(bytes);
    assertThat(buffer.size())
        .isEqualTo(1 + (int) (IntentDescriptor.bytes(1) + IntentDescriptor.mapBytes(1)));
    DataInputStream in = stream(bytes.substring(2));
    Intent read = IntentDescriptor.read(in, in.available());
    assertThat(read.tree()).isEqualTo(1);
    assertThat(read.maps()).hasSize(1);
    assertThat(read.maps().get(0).tree()).isEqualTo(3);
    assertThat(read.maps().get(0).freshLabels()).containsExactly(2);
    DataInputStream tooShort = stream(bytes.substring(2));
    assertThatThrownBy(() -> IntentDescriptor.read(tooShort, tooShort.available() - 1))
        .isInstanceOf(IntegrityException.class);
  }

  /** A block that came and was written is among the written ones. */
  @Test
  void access() throws IOException {
    Stash stash = new Stash(BLOCK_BYTES);
    for (int address = 11; address <= 13; address++) {
      byte[] block = new byte[BLOCK_BYTES];
      for (int i = 0; i < BLOCK_BYTES; i++) {
        block[i] = (byte) (16 * address + i);
      }
      stash.put(address, 0, block, 0);
    }
    RecordBuffer buffer = new RecordBuffer();
    JournalRecord.writeAccess(
        buffer.begin(JournalRecord.ACCESS),
        7,
        2,
        new byte[0],
        new JournalRecord.Blocks(stash, BLOCK_BYTES),
        IntArrayList.from(11, 12),
        new int[] {12, 13});
    assertThat(hex(buffer)).isEqualTo(ACCESS);
    assertThat(buffer.size()).isEqualTo((int) JournalRecord.accessBytes(3, BLOCK_BYTES));
    buffer.pad(JournalRecord.accessBytes(4, BLOCK_BYTES));
    assertThat(hex(buffer)).isEqualTo(ACCESS + "00".repeat(8));
    assertThat(read(ACCESS + "00".repeat(8)))
        .isEqualTo(
            "complete 7 of tree 2, came 11 b0b1b2b3, written 12 c0c1c2c3, written 13 d0d1d2d3");
  }

  @Test
  void commit() throws IOException {
    RecordBuffer buffer = new RecordBuffer();
    JournalRecord.writeCommit(
        buffer.begin(JournalRecord.COMMIT), 2, 16, 3, IntArrayList.from(10, 11), new byte[0]);
    assertThat(hex(buffer)).isEqualTo(COMMIT);
    assertThat(buffer.size()).isEqualTo((int) JournalRecord.commitBytes(2));
    assertThat(read(COMMIT + "0000"))
        .isEqualTo("tree 2 evicted 16 in epoch 3, left tree 2: 10, left tree 2: 11");
  }

  @Test
  void commitOfATreeWithTombstones() throws IOException {
    RecordBuffer buffer = new RecordBuffer();
    IntArrayList left = IntArrayList.from(10, 11);
    byte[] tombstones = {7, 8, 9};
    JournalRecord.writeCommit(buffer.begin(JournalRecord.COMMIT), 2, 16, 3, left, tombstones);
    assertThat(hex(buffer)).isEqualTo(COMMIT + "070809");
    Words words = new Words();
    words.tombstoneBytes = 3;
    JournalRecord.replay(stream(COMMIT + "0708090000"), words);
    assertThat(words.words.toString()).endsWith("left tree 2: 11, tombstones of tree 2: 070809");
  }

  @Test
  void grow() throws IOException {
    RecordBuffer buffer = new RecordBuffer();
    JournalRecord.writeGrow(buffer.begin(JournalRecord.GROW), 3_000_000_000L);
    assertThat(hex(buffer)).isEqualTo(GROW);
    assertThat(read(GROW)).isEqualTo("grown to: 3000000000; ");
    assertThatThrownBy(() -> read(GROW + "00")).isInstanceOf(IntegrityException.class);
  }

  /** As long whether blocks were trimmed or not. */
  @Test
  void trims() throws IOException {
    RecordBuffer buffer = new RecordBuffer();
    DataOutput out = buffer.begin(JournalRecord.TRIMS);
    JournalRecord.writeTrims(
        out, List.of(new JournalRecord.Trim(7, 1), new JournalRecord.Trim(64, 16)));
    assertThat(hex(buffer)).isEqualTo(TRIMS);
    buffer.pad(JournalRecord.TRIMS_BYTES);
    assertThat(hex(buffer)).isEqualTo(TRIMS + "00".repeat(240));
    assertThat(read(TRIMS + "00".repeat(240))).isEqualTo("trimmed 7 on: 1; trimmed 64 on: 16; ");
    JournalRecord.writeTrims(buffer.begin(JournalRecord.TRIMS), List.of());
    buffer.pad(JournalRecord.TRIMS_BYTES);
    assertThat(hex(buffer)).isEqualTo("06" + "00".repeat(260));
    JournalRecord.writeTrims(
        buffer.begin(JournalRecord.TRIMS),
        Collections.nCopies(JournalRecord.MOST_TRIMS, new JournalRecord.Trim(1, 1)));
    buffer.pad(JournalRecord.TRIMS_BYTES);
    buffer.array();
    assertThat(buffer.size()).isEqualTo(JournalRecord.TRIMS_BYTES);
  }

  @Test
  void whatIsTooShortIsRefused() {
    for (String record : new String[] {INTENT, ACCESS, COMMIT, TRIMS, GROW}) {
      for (int bytes = 0; bytes < record.length() / 2; bytes++) {
        String shorter = record.substring(0, 2 * bytes);
        assertThatThrownBy(() -> read(shorter)).isInstanceOf(IntegrityException.class);
      }
    }
    for (int bytes = 0; bytes < START.length() / 2; bytes++) {
      DataInputStream shorter = stream(START.substring(0, 2 * bytes));
      assertThatThrownBy(() -> JournalRecord.readStart(shorter))
          .isInstanceOf(IntegrityException.class);
    }
  }

  /** No memory is taken for what a record claims to have. */
  @Test
  void countsBeyondTheRecordAreRefused() {
    for (String count : new String[] {"00000000", "00000004", "7fffffff", "ffffffff"}) {
      String intent = INTENT.substring(0, 26) + count + INTENT.substring(34);
      assertThatThrownBy(() -> read(intent))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("runs of labels");
    }
    for (String count : new String[] {"00000008", "7fffffff", "ffffffff"}) {
      assertThatThrownBy(() -> read(ACCESS.substring(0, 26) + count + ACCESS.substring(34)))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("blocks read");
      assertThatThrownBy(() -> read(COMMIT.substring(0, 26) + count + COMMIT.substring(34)))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("blocks that left");
    }
  }
}
