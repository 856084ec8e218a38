package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.RecordCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a journal, and what is made of those that a crash or damage left. */
final class JournalFormatTest {

  private static final UUID STORE = new UUID(0x0102030405060708L, 0x1112131415161718L);
  private static final List<byte[]> RECORDS = List.of(bytes(1), bytes(40), bytes(0), bytes(7));

  private static final String SALT = "41424344454647485152535455565758";
  private static final String STATE = "21222324252627283132333435363738";
  private static final String NO_LINK = "ffffffffffffffff" + "00".repeat(24);
  private static final String INTENT_FIELDS =
      "01" + "0000000000000007" + "00000000" + "00000001" + "000000010000000200000003";

  /** A generation that follows a state, and one intent. */
  private static final String GOLDEN =
      "724f52414d6a6e35010203040506070811121314151617180000000000000005"
          + "23428922b843fb78230041abce8a649e3fcfa564461e1329c3a09381d0d70f52"
          + "ce6cae61ed39a2575b2fc67679d384276a726563000000450000000000000000"
          + "00000000000000507674943a06740c3841754e558e3ef30ca6f6431e8993e1db"
          + "856044ebbba7ff6e313a6fb9b8ffd72fc9443c7d6f3cea2bf54d199bdd54de0c"
          + "9c9629ba703efc756cd5b5e60d39a513d75945e8d8c4f397530efe68ed7a5e7c"
          + "6c5a95ac04d20547486a7265630000001d000000000000000100000000000000"
          + "50140025e67cb724e97b2b84732d111419a7c5faf7a1a37fc96c70efa1a0a7cb"
          + "46578ce7658744dc9a413a41e4fa0ad7ddd4d6e6caf6a4be98a8";

  /** The same of format 4, where the nonce of a record was its number. */
  private static final String FORMAT_4 =
      "724f52414d6a6e34010203040506070811121314151617180000000000000005"
          + "ea39ea6ffa8037625dbd8667b31e46bed56a1db618940ea7932f9d64223eb7f0"
          + "c145e89fa83a866471c3fd130b19d2466a726563000000450000000000000000"
          + "0000000000000050c8b5ed5038b670d4194ef47ba5fc073ee22c895846529f0d"
          + "9e11fe70c115cabe6f48e306df1c8952b15ab49aa586131f0c121aac978f1e05"
          + "6331807a2fccd5b30ee66eec20d805b515d040557cbb5cfeeba03219106a7265"
          + "630000001d0000000000000001000000000000005090caac0c47f9417e8ccaab"
          + "3cade01a44ffb24e6ea45d09c1780914e9438a4b6e8fb7c7b2d4e8884bf7b495"
          + "3ced";

  /** The same of format 3, which had no trims. */
  private static final String FORMAT_3 =
      "724f52414d6a6e33010203040506070811121314151617180000000000000005"
          + "424608978f1c6c27aa898a1695dc60835f80b615ee097b2063eadc985d7b0098"
          + "c63b6f323245c2f1b8c41d6899e4daf16a726563000000450000000000000000"
          + "0000000000000050776747614f71f32e0de3a904cc728925b53f5f9509d21e5e"
          + "91bb91dc365c374e104b1382730c05764b0d3f41e39f87a164886b74794992b2"
          + "0ecd7d305213c64bfa8dba77646278167a1f25c896e2422a151f0ba76d6a7265"
          + "630000001d00000000000000010000000000000050f1e3e5fc3294d497dc38e7"
          + "47e58906f91f3e0571a1e90e4bba013c40c92b574019ec7bd11f12310d7d302d"
          + "db5b";

  /** The same of format 2, whose intents had no numbers. */
  private static final String FORMAT_2 =
      "724f52414d6a6e32010203040506070811121314151617180000000000000005"
          + "b55e766f0ca496ff0b7e5bfb757b3adb9929c6f25b90b062158640dde634c4f7"
          + "10089772c5dfaec8afeadb45bc5405b46a726563000000450000000000000000"
          + "000000000000005076d4b947a3fc4cb7319d6329ef613ea185494d9740e8e916"
          + "3048ab68e5a657f40ddff21fe4e20da2c3f35f7940b8bd49e1eb99253d53be65"
          + "448c6b3cdcec1baef86fdeea3de4e606da1ff75000476e4b25d6d4b8026a7265"
          + "6300000015000000000000000100000000000000503a0967f3e6f0e258946afb"
          + "c013722d5d717407a312f84c6cc8677abaf9b68bafe455738f81";

  /** Of format 1. */
  private static final String FORMAT_1 =
      "724f52414d6a6e31010203040506070811121314151617180000000000000005"
          + "d37410f522cb8cb95e1a5a285bd3fcd5b8f7727308bfcb2c5e940bcc649fce88"
          + "bea59fe937ccfd28cc13b725e75bc7a36a726563000000010000000000000000"
          + "00000000000000506da5a8be270c72337f1934a6c59f25279b";

  private final MasterKey key = MasterKey.copyOf(new byte[32]);
  private final ClientVault vault = ClientVault.inMemory();
  private byte[] whole = {};

  /** Where records end; the header first. */
  private final List<Integer> ends = new ArrayList<>();

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) count);
    return bytes;
  }

  /** Every record is synced before the next but the last two. */
  @BeforeEach
  void write() throws IOException {
    try (JournalWriter writer = JournalWriter.create(vault, key, STORE, 5, true, position -> {})) {
      ends.add((int) writer.end());
      for (int i = 0; i < RECORDS.size(); i++) {
        writer.queue(RECORDS.get(i), RECORDS.get(i).length);
        writer.flush();
        ends.add((int) writer.end());
        if (i < 2) {
          writer.awaitDurable(writer.end(), false);
        }
      }
    }
    whole = log().read().readAllBytes();
  }

  @AfterEach
  void close() {
    key.close();
  }

  private AppendLog log() throws IOException {
    return vault.openLog("journal-5");
  }

  private JournalReader reader(byte[] content) throws IOException {
    AppendLog log = log();
    log.truncate(0);
    log.append(ByteBuffer.wrap(content));
    return new JournalReader(log, STORE, 5);
  }

  /** How many records are found, each as it was written. */
  private int replay(JournalReader reader) throws IOException {
    List<byte[]> found = new ArrayList<>();
    reader.replay(key, record -> found.add(record.readAllBytes()));
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(RECORDS.get(i));
    }
    assertThat(reader.records()).isEqualTo(found.size());
    return found.size();
  }

  @Test
  void theBytes() throws IOException {
    HexFormat hex = HexFormat.of();
    assertThat(ends).containsExactly(80, 133, 225, 277, 336);
    assertThat(hex.formatHex(whole, 0, 32))
        .isEqualTo(
            "724f52414d6a6e35" + "0102030405060708" + "1112131415161718" + "0000000000000005");
    assertThat(hex.formatHex(whole, 80, 104))
        .isEqualTo("6a726563" + "00000001" + "0000000000000000" + "0000000000000050");
    assertThat(hex.formatHex(whole, 133, 157))
        .isEqualTo("6a726563" + "00000028" + "0000000000000001" + "0000000000000085");
    byte[] none = {};
    byte[] plain = new byte[1];
    try (RecordCipher cipher = new RecordCipher(key, "roram journal", Arrays.copyOf(whole, 64))) {
      byte[] ones = HexFormat.of().parseHex("00000000" + "ff".repeat(8));
      assertThat(cipher.open(ones, none, whole, 64, 16, none)).isTrue();
      assertThat(cipher.open(nonce(80), associated(80, 64), whole, 116, 17, plain)).isTrue();
      assertThat(cipher.open(nonce(133), associated(133, 117), whole, 169, 56, new byte[40]))
          .isTrue();
    }
    assertThat(plain).isEqualTo(RECORDS.get(0));
  }

  private byte[] nonce(int header) {
    return Arrays.copyOfRange(whole, header + 24, header + 36);
  }

  private byte[] associated(int header, int tagBefore) {
    byte[] associated = Arrays.copyOfRange(whole, header, header + 52);
    System.arraycopy(whole, tagBefore, associated, 36, 16);
    return associated;
  }

  /** Bytes made once, so that journals of this format stay readable. */
  @Test
  void aJournalOfThisFormatStaysReadable() throws IOException {
    assertThat(plain(reader(HexFormat.of().parseHex(GOLDEN))))
        .containsExactly("04" + "00000003" + SALT + STATE + NO_LINK, INTENT_FIELDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {FORMAT_1, FORMAT_2, FORMAT_3, FORMAT_4})
  void aJournalOfAnOlderFormatIsAnErrorThatNamesTheRemedy(String older) throws IOException {
    JournalReader reader = reader(HexFormat.of().parseHex(older));
    assertThatThrownBy(() -> plain(reader))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll(
            "journal 5",
            "older version of roram",
            "format " + older.charAt(15) + ", expected 5",
            "open and close the store with the version that wrote it");
  }

  /** The fields of records, in hexadecimal. */
  private List<String> plain(JournalReader reader) throws IOException {
    List<String> found = new ArrayList<>();
    reader.replay(key, record -> found.add(HexFormat.of().formatHex(record.readAllBytes())));
    return found;
  }

  /** Each generation says what it follows: a state, the one before, or a state alone. */
  @Test
  void theFirstRecordOfEachGeneration() throws IOException {
    Journal.Origin origin =
        new Journal.Origin(
            5,
            new RecordId(0x2122232425262728L, 0x3132333435363738L),
            3,
            new UUID(0x4142434445464748L, 0x5152535455565758L),
            JournalChain.Link.NONE);
    try (Journal journal = new Journal(vault, key, STORE, Durability.SYNC, 512, origin)) {
      journal.prepareNext();
      journal.nextGeneration();
      assertThat(plain(5)).as("it was left").containsExactly(start(origin.state(), NO_LINK));
      RecordId sixth = journal.state();
      assertThat(vault.openLog("journal-6").bytes()).as("no record yet").isEqualTo(80);
      intent(journal);
      intent(journal);
      assertThat(plain(6)).containsExactly(start(sixth, link(5, 1)), INTENT_FIELDS, INTENT_FIELDS);
      journal.nextGeneration();
      RecordId seventh = journal.state();
      intent(journal);
      assertThat(plain(7)).containsExactly(start(seventh, link(6, 3)), INTENT_FIELDS);
      journal.restart();
      RecordId eighth = journal.state();
      intent(journal);
      assertThat(plain(8)).containsExactly(start(eighth, NO_LINK), INTENT_FIELDS);
      assertThat(List.of(origin.state(), sixth, seventh, eighth)).doesNotHaveDuplicates();
    }
  }

  private static void intent(Journal journal) throws IOException {
    journal.intent(new Intent(7, 0, new int[] {1}, new int[] {2}, new int[] {3}));
  }

  private static String start(RecordId state, String link) {
    HexFormat hex = HexFormat.of();
    String id = hex.toHexDigits(state.high()) + hex.toHexDigits(state.low());
    return "04" + "00000003" + SALT + id + link;
  }

  private List<String> plain(long generation) throws IOException {
    try (AppendLog log = vault.openLog("journal-" + generation);
        JournalReader reader = new JournalReader(log, STORE, generation)) {
      return plain(reader);
    }
  }

  private String link(long generation, long records) throws IOException {
    byte[] log = vault.openLog("journal-" + generation).read().readAllBytes();
    String tag = HexFormat.of().formatHex(log, log.length - 16, log.length);
    return HexFormat.of().toHexDigits(generation) + HexFormat.of().toHexDigits(records) + tag;
  }

  @Test
  void aTornEndIsCutAtEveryByte() throws IOException {
    for (int length = 0; length <= whole.length; length++) {
      JournalReader reader = reader(Arrays.copyOf(whole, length));
      int expected = 0;
      int end = length < ends.get(0) ? 0 : ends.get(0);
      for (int i = 1; i < ends.size() && ends.get(i) <= length; i++) {
        expected = i;
        end = ends.get(i);
      }
      assertThat(replay(reader)).isEqualTo(expected);
      assertThat(reader.tornBytes()).isEqualTo(bytesBeforeZeros(length, end));
    }
  }

  private long bytesBeforeZeros(int length, int from) {
    int last = length;
    while (last > from && whole[last - 1] == 0) {
      last--;
    }
    return from == 0 ? length : last - from;
  }

  /** Room that was made for more: a kill leaves it. */
  @Test
  void zerosAfterAWholeRecordAreNotTorn() throws IOException {
    for (int zeros : new int[] {1, 79, 1 << 18}) {
      JournalReader reader = reader(Arrays.copyOf(whole, whole.length + zeros));
      assertThat(replay(reader)).isEqualTo(ends.size() - 1);
      assertThat(reader.tornBytes()).isZero();
    }
  }

  @Test
  void aRecordThatIsTornInRoomThatWasMadeIsCutAtEveryByte() throws IOException {
    int last = ends.get(ends.size() - 2);
    // Zeros that are cut off at the end, one time in 256, are there again.
    long end = last + bytesBeforeZeros(whole.length, last);
    for (int length = last + 1; length < end; length++) {
      byte[] torn = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length + 100);
      JournalReader reader = reader(torn);
      assertThat(replay(reader)).isEqualTo(ends.size() - 2);
      assertThat(reader.tornBytes()).isEqualTo(bytesBeforeZeros(length, last));
    }
  }

  @Test
  void zerosInsteadOfRecordsBeforeASafeOneAreAnError() throws IOException {
    byte[] zeroed = whole.clone();
    Arrays.fill(zeroed, ends.get(0), ends.get(1), (byte) 0);
    JournalReader reader = reader(zeroed);
    assertThatThrownBy(() -> replay(reader)).isInstanceOf(IntegrityException.class);
  }

  @Test
  void aFlippedBitBeforeSafeRecordsIsAnError() throws IOException {
    for (int at = 0; at < ends.get(2); at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      JournalReader reader = reader(flipped);
      assertThatThrownBy(() -> replay(reader))
          .as("byte %d", at)
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("journal 5")
          .hasMessageContaining("restore it from a copy");
    }
  }

  /** They may have reached the disk in any order. */
  @Test
  void aFlippedBitInRecordsThatWereNotSyncedCutsThem() throws IOException {
    for (int at = ends.get(2); at < whole.length; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      assertThat(replay(reader(flipped))).isEqualTo(at < ends.get(3) ? 2 : 3);
    }
  }

  @Test
  void aRecordLeftOutOrRepeatedIsAnError() throws IOException {
    byte[] without = new byte[whole.length - (ends.get(1) - ends.get(0))];
    System.arraycopy(whole, 0, without, 0, ends.get(0));
    System.arraycopy(whole, ends.get(1), without, ends.get(0), whole.length - ends.get(1));
    JournalReader cut = reader(without);
    assertThatThrownBy(() -> replay(cut)).isInstanceOf(IntegrityException.class);
    byte[] exchanged = whole.clone();
    System.arraycopy(whole, ends.get(0), exchanged, ends.get(1), ends.get(1) - ends.get(0));
    JournalReader reader = reader(exchanged);
    assertThatThrownBy(() -> replay(reader)).isInstanceOf(IntegrityException.class);
  }

  /** Whoever forges them has each deciphered, so no more are than there is room for. */
  @Test
  void forgedRecordsThatOverlapAreAnError() throws IOException {
    ByteBuffer log = ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1000));
    int first = whole.length + 10;
    for (int at = first; at < first + 500; at += 100) {
      JournalDescriptor.putRecordHeader(log.slice(at, 36), 48, 9, Long.MAX_VALUE, new byte[12]);
    }
    assertThat(replay(reader(log.array()))).isEqualTo(RECORDS.size());
    for (int at = first; at < first + 200; at += 100) {
      log.putInt(at + 4, 800);
    }
    JournalReader reader = reader(log.array());
    assertThatThrownBy(() -> replay(reader))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("is damaged at byte 336");
  }

  @Test
  void anotherStoreGenerationOrKeyIsAnError() throws IOException {
    AppendLog log = log();
    JournalReader otherStore = new JournalReader(log, new UUID(1, 2), 5);
    assertThatThrownBy(() -> replay(otherStore))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("of another store");
    JournalReader otherGeneration = new JournalReader(log, STORE, 6);
    assertThatThrownBy(() -> replay(otherGeneration)).isInstanceOf(IntegrityException.class);
  }

  /** Zeros where the header was not synced, as a file system may leave them. */
  @Test
  void aHeaderThatNeverReachedTheDiskIsAnEmptyJournal() throws IOException {
    JournalReader reader = reader(new byte[80]);
    assertThat(replay(reader)).isZero();
    assertThat(reader.tornBytes()).isEqualTo(80);
  }
}
