package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Against a plain array: any accesses, any policy, any working set, any backing. */
class PagedMemoryModelTest {

  private static final int PAGES = 24;
  private static final int PAGE_BYTES = 512;
  private static final int BYTES = PAGES * PAGE_BYTES;
  private static final int LONGEST = 2000;
  private static final int OPERATIONS = 150;

  @Property(tries = 100)
  void isAnArray(
      @ForAll Backing backing,
      @ForAll Replacement replacement,
      @ForAll @IntRange(min = 1, max = 30) int workingSet,
      @ForAll boolean revealCleanPages,
      @ForAll long seed)
      throws IOException {
    PageStore store = backing.create(PAGES, PAGE_BYTES);
    PagingOptions options = new PagingOptions(workingSet, replacement, revealCleanPages);
    ByteBuffer model = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (PagedMemory memory = PagedMemory.over(store, options)) {
      assertThat(memory.bytes()).isEqualTo(BYTES);
      Random random = new Random(seed);
      for (int i = 0; i < OPERATIONS; i++) {
        operate(random, memory, model);
      }
      assertSame(memory, model);
    }
    try (PagedMemory again = PagedMemory.over(store)) {
      assertSame(again, model);
    }
    store.close();
  }

  private static void assertSame(Memory memory, ByteBuffer model) {
    byte[] all = new byte[BYTES];
    memory.get(0, all, 0, BYTES);
    byte[] expected = new byte[BYTES];
    model.get(0, expected);
    assertThat(all).isEqualTo(expected);
  }

  private static void operate(Random random, PagedMemory memory, ByteBuffer model)
      throws IOException {
    int offset = random.nextInt(BYTES - Long.BYTES + 1);
    long value = random.nextLong();
    switch (random.nextInt(12)) {
      case 0 -> assertThat(memory.getByte(offset)).isEqualTo(model.get(offset));
      case 1 -> assertThat(memory.getInt(offset)).isEqualTo(model.getInt(offset));
      case 2 -> assertThat(memory.getLong(offset)).isEqualTo(model.getLong(offset));
      case 3 -> {
        memory.putByte(offset, (byte) value);
        model.put(offset, (byte) value);
      }
      case 4 -> {
        memory.putInt(offset, (int) value);
        model.putInt(offset, (int) value);
      }
      case 5 -> {
        memory.putLong(offset, value);
        model.putLong(offset, value);
      }
      case 6 -> {
        memory.putDouble(offset, value / 3.0);
        model.putDouble(offset, value / 3.0);
        assertThat(memory.getDouble(offset)).isEqualTo(value / 3.0);
      }
      case 7, 8 -> writeMany(random, memory, model, offset);
      case 9 -> readMany(random, memory, model, offset);
      case 10 -> numbers(random, memory, model, offset);
      default -> memory.flush();
    }
  }

  private static void writeMany(Random random, PagedMemory memory, ByteBuffer model, int offset) {
    byte[] bytes = new byte[random.nextInt(LONGEST)];
    random.nextBytes(bytes);
    int at = random.nextInt(bytes.length + 1);
    int count = Math.min(bytes.length - at, BYTES - offset);
    memory.slice(offset, BYTES - offset).put(0, bytes, at, count);
    model.put(offset, bytes, at, count);
  }

  private static void readMany(Random random, PagedMemory memory, ByteBuffer model, int offset) {
    int count = Math.min(random.nextInt(LONGEST), BYTES - offset);
    byte[] got = new byte[count];
    byte[] expected = new byte[count];
    memory.get(offset, got, 0, count);
    model.get(offset, expected);
    assertThat(got).isEqualTo(expected);
  }

  /** Bulk forms of each type, through a view and without. */
  private static void numbers(Random random, PagedMemory memory, ByteBuffer model, int offset) {
    int count = Math.min(random.nextInt(200), (BYTES - offset) / Long.BYTES);
    Memory at = random.nextBoolean() ? memory.slice(offset, BYTES - offset) : memory;
    long from = at.equals(memory) ? offset : 0;
    int[] ints = random.ints(count).toArray();
    int[] intsBack = new int[count];
    at.putInts(from, ints, 0, count);
    at.getInts(from, intsBack, 0, count);
    assertThat(intsBack).isEqualTo(ints);
    long[] longs = random.longs(count).toArray();
    long[] longsBack = new long[count];
    at.putLongs(from, longs, 0, count);
    at.getLongs(from, longsBack, 0, count);
    assertThat(longsBack).isEqualTo(longs);
    double[] doubles = random.doubles(count).toArray();
    double[] doublesBack = new double[count];
    at.putDoubles(from, doubles, 0, count);
    at.getDoubles(from, doublesBack, 0, count);
    assertThat(doublesBack).isEqualTo(doubles);
    model.position(offset);
    model.asDoubleBuffer().put(doubles);
    model.rewind();
  }
}
