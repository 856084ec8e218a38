package io.github.roram.linked;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.HeapStore;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.WrongKeyException;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of the key of a TaORAM. */
final class TaoRekeyTest {

  private static final int BLOCK_BYTES = 1 << 12;
  private static final OramConfig CONFIG = config(128, BLOCK_BYTES);
  private static final int UNIT_BYTES =
      new LinkedStoreLayout(CONFIG).layout(0).descriptor().sealedBytes();

  private final MasterKey oldKey = MasterKey.generate();
  private final MasterKey newKey = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final HeapStore store = new HeapStore(Orams.storeBytes(CONFIG));
  private final List<Request> requests = new ArrayList<>();

  private static OramConfig config(int blocks, int blockBytes) {
    return OramConfig.builder(blocks)
        .scheme("tao")
        .blockBytes(blockBytes)
        .maxRangeBlocks(4)
        .chunkPaths(5)
        .treetopBytes(0)
        .build();
  }

  /** A write of buckets: where they begin. */
  private record Request(List<Long> offsets) {}

  @BeforeEach
  void use() throws IOException {
    try (Oram oram = Orams.create(store, vault, CONFIG, oldKey)) {
      Random random = new Random(1);
      for (int access = 0; access < 203; access++) {
        int block = access < 128 ? access : random.nextInt(128);
        oram.write(block, content(block));
      }
    }
  }

  @AfterEach
  void wipe() {
    oldKey.close();
    newKey.close();
  }

  private static ByteBuffer content(int block) {
    byte[] content = new byte[BLOCK_BYTES];
    Arrays.fill(content, (byte) block);
    return ByteBuffer.wrap(content);
  }

  /** Keeps where buckets are resealed, and tears the n-th such write in its middle. */
  private final class Breaking extends FilterBlockStore {
    private final int unitBytes;
    private int writes;

    Breaking(HeapStore below, int unitBytes, int writes) {
      super(below);
      this.unitBytes = unitBytes;
      this.writes = writes;
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      if (batch.unitBytes() != unitBytes || batch.phase() != IoPhase.META) {
        super.write(batch, source);
        return;
      }
      List<Long> offsets = new ArrayList<>();
      for (int extent = 0; extent < batch.extents(); extent++) {
        for (int unit = 0; unit < batch.units(extent); unit++) {
          offsets.add(batch.offset(extent) + (long) unit * unitBytes);
        }
      }
      requests.add(new Request(offsets));
      boolean breaks = --writes == 0;
      int[] left = {breaks ? batch.units() / 2 : Integer.MAX_VALUE};
      super.write(
          batch,
          (first, units) -> {
            while (units.hasRemaining()) {
              if (left[0]-- <= 0) {
                throw new IOException("injected");
              }
              int unit = first++;
              ByteBuffer piece = units.slice().limit(unitBytes);
              units.position(units.position() + unitBytes);
              source.fill(unit, piece);
            }
          });
      if (breaks) {
        throw new IOException("injected");
      }
    }
  }

  private void rekey(BlockStore over) throws IOException {
    Orams.rekey(over, vault, oldKey, newKey, bytes -> {});
  }

  private void breakOff(int write) {
    assertThatThrownBy(() -> rekey(new Breaking(store, UNIT_BYTES, write))).hasMessage("injected");
  }

  private void assertRekeyed() throws IOException {
    assertThatThrownBy(() -> Orams.open(store, vault, oldKey))
        .isInstanceOf(WrongKeyException.class);
    try (Oram oram = Orams.open(store, vault, newKey)) {
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      for (int block = 0; block < 128; block++) {
        assertThat(oram.read(block, 1)).isEqualTo(content(block));
      }
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
    }
  }

  /** Each call mends the write that the one before tore, and tears the next. */
  @Test
  void goesOnWhereverAWriteIsTorn() throws IOException {
    breakOff(1);
    int calls = 1;
    for (boolean broken = true; broken; calls++) {
      try {
        rekey(new Breaking(store, UNIT_BYTES, 2));
        broken = false;
      } catch (IOException e) {
        assertThat(e).hasMessage("injected");
      }
    }
    int levels = new LinkedStoreLayout(CONFIG).layout(0).geometry().height() + 1;
    assertThat(calls)
        .as("one for each batch at least, and the last one, which is not torn")
        .isGreaterThan(levels);
    assertRekeyed();
  }

  /** The last level is longer than a batch, of which the first is torn. */
  @Test
  void goesOnWithinALevel(@TempDir Path directory) throws IOException {
    OramConfig large = config(256, 1 << 16);
    HeapStore levels = new HeapStore(Orams.storeBytes(large));
    ClientVault records = ClientVault.inMemory();
    Path zeros = directory.resolve("zeros");
    try (FileChannel source = FileChannel.open(zeros, CREATE_NEW, READ, WRITE);
        Oram oram = Orams.create(levels, records, large, oldKey)) {
      source.write(ByteBuffer.allocate(1), large.bytes() - 1);
      oram.bulkLoad(source, Long.MAX_VALUE, bytes -> {});
    }
    int unitBytes = new LinkedStoreLayout(large).layout(0).descriptor().sealedBytes();
    int lastLevel = new LinkedStoreLayout(large).layout(0).geometry().height();
    BlockStore tearing = new Breaking(levels, unitBytes, lastLevel + 1);
    assertThatThrownBy(() -> Orams.rekey(tearing, records, oldKey, newKey, bytes -> {}))
        .hasMessage("injected");
    assertThat(requests.get(lastLevel).offsets()).hasSizeLessThan(1 << lastLevel);
    Orams.rekey(levels, records, oldKey, newKey, bytes -> {});
    try (Oram oram = Orams.open(levels, records, newKey)) {
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
    }
  }

  /** Each bucket that was ever written is written once, in one of its places. */
  @Test
  void onlyCurrentPlacesAreWritten() throws IOException {
    byte[] before = store.copy();
    rekey(new Breaking(store, UNIT_BYTES, 0));
    List<Long> all = requests.stream().flatMap(request -> request.offsets().stream()).toList();
    assertThat(all).doesNotHaveDuplicates().hasSizeGreaterThan(50);
    byte[] after = store.copy();
    LinkedStoreLayout.Tree layout = new LinkedStoreLayout(CONFIG).layout(0);
    int both = 0;
    for (int level = 0; level <= layout.geometry().height(); level++) {
      for (int bucket = 0; bucket < 1 << level; bucket++) {
        int written = 0;
        int old = 0;
        for (int place = 0; place < 2; place++) {
          long offset = layout.offset(level, bucket, place);
          int from = (int) offset;
          boolean changed =
              !Arrays.equals(before, from, from + UNIT_BYTES, after, from, from + UNIT_BYTES);
          assertThat(changed).isEqualTo(all.contains(offset));
          written += changed ? 1 : 0;
          old += !changed && before[from + UNIT_BYTES - 1] != 0 ? 1 : 0;
        }
        assertThat(written).isLessThanOrEqualTo(1);
        both += written + old == 2 ? 1 : 0;
      }
    }
    assertThat(both).as("buckets that have something in both places").isGreaterThan(20);
    assertRekeyed();
  }

  /** What was done is read again with the new key: that an older one is there does not pass. */
  @Test
  void whatWasDoneMustBeThereWhenItGoesOn() throws IOException {
    byte[] before = store.copy();
    breakOff(6);
    byte[] broken = store.copy();
    int done = (int) (long) requests.get(2).offsets().get(0);
    byte[] changed = broken.clone();
    System.arraycopy(before, done, changed, done, UNIT_BYTES);
    store.restore(changed);
    assertThatThrownBy(() -> rekey(store)).isInstanceOf(IntegrityException.class);
    store.restore(broken);
    rekey(store);
    assertRekeyed();
  }

  /** A batch that nobody read would hide those below it. */
  @Test
  void noBatchIsPassedOverUnread() throws IOException {
    try (OpenOram oram =
            new StoreOpening(store, vault, oldKey, LabelSource.secure())
                .open(null, OpenOptions.defaults());
        BucketKeys keys =
            new BucketKeys(newKey.duplicate(), UUID.randomUUID(), 9, EpochSalts.upTo(9))) {
      Resealing resealing = oram.able(Rekeyable.class, "").resealing(keys);
      assertThat(resealing.next()).isTrue();
      assertThatThrownBy(resealing::next).isInstanceOf(IllegalStateException.class);
    }
  }
}
