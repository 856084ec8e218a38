package io.github.roram.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The superblock as an object, and who may write it. */
final class ObjectStoreTest {

  private final MemoryObjects objects = new MemoryObjects();

  private static byte[] superblock(int content) {
    byte[] bytes = new byte[SuperblockDescriptor.BYTES];
    Arrays.fill(bytes, (byte) content);
    return bytes;
  }

  @Test
  void theLastSuperblockCounts() throws IOException {
    assertThat(ObjectStore.isIn(objects)).isFalse();
    try (BlockStore store = ObjectStore.create(objects.another())) {
      assertThat(Superblock.read(store)).containsOnly(0);
      for (int i = 1; i < 20; i++) {
        Superblock.write(store, superblock(i));
        assertThat(Superblock.read(store)).containsOnly(i);
      }
    }
    assertThat(objects.list("super/", "")).hasSize(1);
    try (BlockStore again = new ObjectStore(objects.another())) {
      assertThat(Superblock.read(again)).containsOnly(19);
    }
    ObjectStore.delete(objects);
    assertThat(ObjectStore.isIn(objects)).isFalse();
  }

  /** Killed before it deleted the one before. */
  @Test
  void anOlderOneThatIsStillThereDoesNotCount() throws IOException {
    ObjectStore.create(objects.another()).close();
    objects.createOnce("super/0000000000000001", ByteBuffer.wrap(superblock(3)));
    try (BlockStore store = new ObjectStore(objects.another())) {
      assertThat(Superblock.read(store)).containsOnly(3);
    }
  }

  /** Those that are left over are deleted with the next openings. */
  @Test
  void ofVeryManySuperblocksTheLastOnesAreHeld() throws IOException {
    for (int i = 0; i < 250; i++) {
      objects.createOnce(new NumberedNames("super/").name(i), ByteBuffer.wrap(superblock(i % 7)));
    }
    for (int left : List.of(151, 52, 1)) {
      try (BlockStore store = new ObjectStore(objects.another())) {
        Superblock.write(store, superblock(9));
      }
      assertThat(objects.list("super/", "")).hasSize(left);
    }
    try (BlockStore store = new ObjectStore(objects.another())) {
      assertThat(Superblock.read(store)).containsOnly(9);
    }
  }

  @Test
  void twoClientsDoNotBothWriteTheNextOne() throws IOException {
    ObjectStore.create(objects.another()).close();
    ObjectSpace raced =
        new FilterObjectSpace(objects.another()) {
          @Override
          public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
            objects.createOnce(name, ByteBuffer.wrap(superblock(9)));
            return super.createOnce(name, bytes);
          }
        };
    try (BlockStore store = new ObjectStore(raced)) {
      assertThatThrownBy(() -> Superblock.write(store, superblock(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another client");
      assertThat(Superblock.read(store)).containsOnly(9);
    }
  }

  /** What was written before is deleted as it is replaced, and not first after the next opening. */
  @Test
  void whatWasThereBeforeAnOramGrewIsNotKept() throws IOException {
    OramConfig config =
        OramConfig.builder(100)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .treetopBytes(0)
            .chunkPaths(4)
            .windowBlocks(12)
            .build();
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate()) {
      BlockStore created = ObjectStore.create(objects.another());
      List<String> before;
      try (Oram oram = Orams.create(created, vault, config, key)) {
        overwrite(oram, 1);
        before = buckets();
        oram.grow(252);
        overwrite(oram, 2);
      }
      assertThat(before).isNotEmpty();
      assertThat(buckets()).isNotEmpty().doesNotContainAnyElementsOf(before);
    }
  }

  private static void overwrite(Oram oram, int times) throws IOException {
    for (int time = 0; time < times; time++) {
      for (long block = 0; block < oram.config().blocks(); block += 4) {
        oram.write(block, ByteBuffer.allocate(4 * 512));
      }
    }
  }

  private List<String> buckets() throws IOException {
    List<String> names = new ArrayList<>();
    objects.forEach(ObjectBuckets.PREFIX, "", names::add);
    return names;
  }

  /** Else whoever deletes all of a prefix would delete the store. */
  @Test
  void anAnswerWithNamesThatWereNotAskedForIsRefused() throws IOException {
    ObjectStore.create(objects.another()).close();
    objects.put("rec/a", ByteBuffer.allocate(1));
    ObjectSpace careless =
        new FilterObjectSpace(objects) {
          @Override
          public List<String> list(String prefix, String after) throws IOException {
            return super.list("", after);
          }
        };
    assertThatThrownBy(() -> careless.deleteAll("rec/"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("begin with \"rec/\"");
    assertThat(objects.list("", "")).hasSize(2);
  }

  @Test
  void namesOfAnEngineAreToldWithoutControlCharacters() {
    String said = "super/\u001b[2J\n";
    ObjectSpace stuck =
        new FilterObjectSpace(objects) {
          @Override
          public List<String> list(String prefix, String after) {
            return List.of(said);
          }
        };
    assertThatThrownBy(() -> ObjectStore.delete(stuck)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> stuck.forEach("super/", "", name -> {}))
        .isInstanceOf(IOException.class)
        .message()
        .matches("\\P{C}*");
  }

  @Test
  void nothingIsAskedForAfterClosing() throws IOException {
    BlockStore store = ObjectStore.create(objects);
    store.close();
    store.close();
    assertThatThrownBy(() -> Superblock.read(store)).isInstanceOf(ClosedChannelException.class);
  }

  /** Each read waits for two others: alone none would return. */
  @Test
  void requestsOfOneCallAreUnderWayAtTheSameTime() throws IOException {
    CyclicBarrier three = new CyclicBarrier(3);
    ObjectSpace meeting =
        new FilterObjectSpace(objects.another()) {
          @Override
          public int read(String name, long offset, ByteBuffer to) throws IOException {
            try {
              three.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
              throw new IOException(e);
            }
            return super.read(name, offset, to);
          }

          @Override
          public ObjectTraits traits() {
            return new ObjectTraits(1, 3, false, ObjectTraits.Prices.NONE);
          }
        };
    ObjectBucketsTest.readsThree(new ObjectStore(meeting));
  }
}
