package io.github.roram.posmap;

import com.carrotsearch.hppc.IntObjectHashMap;
import io.github.roram.ConfigurationException;
import io.github.roram.checkpoint.GradualCopy;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a position map, all 0 at first, on the heap or in a file that is mapped into
 * memory. The operating system keeps the used pages of the file in memory.
 *
 * <p>The file is working space, not a record: it is deleted as soon as it is mapped, and disappears
 * with the process. The client saves checkpoints and a journal as always.
 *
 * <h2>Security</h2>
 *
 * The operating system writes the pages that change, whose places reveal which ranges are accessed.
 * So the file must be on a disk of the client that no observer of the store can see
 * (docs/position-maps.md).
 *
 * <p>Not thread safe.
 */
final class MapArray {

  /** Length of a page of a copy, in numbers. */
  static final int PAGE_INTS = 1024;

  /** A mapping has less than 2^31 bytes. */
  private static final int SEGMENT_EXPONENT = 28;

  private static final int SEGMENT_INTS = 1 << SEGMENT_EXPONENT;
  private static final int ZEROS_BYTES = 1 << 16;

  private final int length;
  private final boolean onHeap;
  private final IntBuffer[] segments;
  private @Nullable Copy copy;

  private MapArray(int length, boolean onHeap, IntBuffer[] segments) {
    this.length = length;
    this.onHeap = onHeap;
    this.segments = segments;
  }

  /** Returns an array of {@code length} numbers on the heap. */
  static MapArray onHeap(int length) {
    IntBuffer[] segments = new IntBuffer[segments(length)];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = IntBuffer.wrap(new int[ints(length, i)]);
    }
    return new MapArray(length, true, segments);
  }

  /**
   * Returns an array of {@code length} numbers in a file.
   *
   * @param directory directory of the file
   * @throws ConfigurationException if the file cannot be created there, or lacks space
   */
  static MapArray inFile(Path directory, int length) {
    long bytes = (long) length * Integer.BYTES;
    try {
      long room = Files.getFileStore(directory).getUsableSpace();
      if (room < bytes) {
        throw new ConfigurationException(
            "the position map takes "
                + bytes
                + " bytes of a file in "
                + directory
                + ", where there is room for "
                + room
                + "; make room, or name another directory");
      }
      return new MapArray(length, false, mapped(directory, length));
    } catch (IOException e) {
      throw new ConfigurationException(
          "no file for the position map can be made in "
              + directory
              + " ("
              + e
              + "); name a directory that is there and may be written",
          e);
    }
  }

  private static IntBuffer[] mapped(Path directory, int length) throws IOException {
    Path file = Files.createTempFile(directory, "roram-map-", ".tmp");
    IntBuffer[] segments = new IntBuffer[segments(length)];
    Set<StandardOpenOption> options =
        Set.of(
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    try (FileChannel channel = FileChannel.open(file, options)) {
      takeRoom(channel, (long) length * Integer.BYTES);
      for (int i = 0; i < segments.length; i++) {
        long from = (long) i * SEGMENT_INTS * Integer.BYTES;
        long bytes = (long) ints(length, i) * Integer.BYTES;
        ByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, from, bytes);
        segments[i] = map.order(ByteOrder.nativeOrder()).asIntBuffer();
      }
    }
    return segments;
  }

  /**
   * Fills the file with zeros. Otherwise, if the disk filled up, a page without space on it would
   * be lost in the middle of an access, and client and journal would no longer agree.
   */
  private static void takeRoom(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(ZEROS_BYTES);
    for (long done = 0; done < bytes; ) {
      zeros.clear().limit((int) Math.min(ZEROS_BYTES, bytes - done));
      done += channel.write(zeros);
    }
  }

  private static int segments(int length) {
    return (int) (((long) length + SEGMENT_INTS - 1) / SEGMENT_INTS);
  }

  private static int ints(int length, int segment) {
    return (int) Math.min(SEGMENT_INTS, length - (long) segment * SEGMENT_INTS);
  }

  int length() {
    return length;
  }

  int get(int index) {
    return segments[index >>> SEGMENT_EXPONENT].get(index & (SEGMENT_INTS - 1));
  }

  /** Changes a number; a copy in progress keeps the old one. */
  void set(int index, int value) {
    if (copy != null) {
      copy.beforeChange(index);
    }
    put(index, value);
  }

  /**
   * Sets a number that is 0. A copy in progress may contain the change if that does not make it
   * longer.
   */
  void note(int index, int value) {
    if (copy != null) {
      copy.beforeNoted(index);
    }
    put(index, value);
  }

  private void put(int index, int value) {
    segments[index >>> SEGMENT_EXPONENT].put(index & (SEGMENT_INTS - 1), value);
  }

  /** Reads numbers of one page of a copy, which never spans two segments. */
  void get(int first, int[] into, int count) {
    segments[first >>> SEGMENT_EXPONENT].get(first & (SEGMENT_INTS - 1), into, 0, count);
  }

  /**
   * Begins a copy of the numbers as they are now. Only one copy can be in progress.
   *
   * @param most the most numbers that can have been set, a public number
   */
  GradualCopy startCopy(long most) {
    checkNotCopied();
    copy = new Copy(most);
    return copy;
  }

  private void checkNotCopied() {
    if (copy != null) {
      throw new IllegalStateException("the map is being copied");
    }
  }

  /** Loads the pages that a copy wrote. */
  void readFrom(DataInput in) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(PAGE_INTS * Integer.BYTES);
    for (int first = 0; first < length; first += PAGE_INTS) {
      int count = Math.min(PAGE_INTS, length - first);
      if (in.readBoolean()) {
        in.readFully(bytes.array(), 0, count * Integer.BYTES);
        put(first, bytes.asIntBuffer(), count);
      }
    }
  }

  /** Writes numbers of one page of a copy. */
  void put(int first, IntBuffer from, int count) {
    segments[first >>> SEGMENT_EXPONENT].put(first & (SEGMENT_INTS - 1), from, 0, count);
  }

  /** Sets all numbers to 0. */
  void clear() {
    checkNotCopied();
    int[] zeros = new int[PAGE_INTS];
    for (int first = 0; first < length; first += zeros.length) {
      int count = Math.min(zeros.length, length - first);
      put(first, IntBuffer.wrap(zeros), count);
      if (first > length - zeros.length) {
        return;
      }
    }
  }

  /** Returns the bytes of heap that the numbers take. */
  long heldBytes() {
    return onHeap ? (long) Integer.BYTES * length : 0;
  }

  /**
   * A copy of the array: its length, then pages of {@value #PAGE_INTS} numbers. Before each page is
   * a boolean that says whether a number of the page is not 0; pages of zeros are left out.
   */
  private final class Copy implements GradualCopy {

    /** Stands for a page of zeros, which is left out. */
    private static final int[] UNTOUCHED = {};

    private final long most;
    private final ByteBuffer bytes = ByteBuffer.allocate(PAGE_INTS * Integer.BYTES);

    /** The earlier contents of pages that changed before they were written. */
    private final IntObjectHashMap<int[]> aside = new IntObjectHashMap<>();

    /** The next page; −1 before the length is written. */
    private int next = -1;

    Copy(long most) {
      this.most = most;
    }

    /** Assumes that each set number is in a different page. */
    @Override
    public long mostBytes() {
      int pages = (length + PAGE_INTS - 1) / PAGE_INTS;
      long touched = Math.min(pages, most);
      return Integer.BYTES + pages + Math.min(length, touched * PAGE_INTS) * Integer.BYTES;
    }

    /** Keeps the page of a number that is about to change. */
    void beforeChange(int index) {
      int page = index / PAGE_INTS;
      if (page >= next && !aside.containsKey(page)) {
        aside.put(page, page(page));
      }
    }

    /** Ensures, before a number is noted, that a page of zeros stays left out of the copy. */
    void beforeNoted(int index) {
      int page = index / PAGE_INTS;
      if (page >= next && !aside.containsKey(page) && !isTouched(page(page))) {
        aside.put(page, UNTOUCHED);
      }
    }

    private int[] page(int page) {
      int[] copied = new int[numbers(page)];
      get(page * PAGE_INTS, copied, copied.length);
      return copied;
    }

    private int numbers(int page) {
      return Math.min(PAGE_INTS, length - page * PAGE_INTS);
    }

    @Override
    public boolean step(DataOutput out) throws IOException {
      if (next < 0) {
        out.writeInt(length);
      } else {
        int[] page = aside.remove(next);
        write(page == null ? page(next) : page, out);
      }
      next++;
      return (long) next * PAGE_INTS < length;
    }

    private void write(int[] page, DataOutput out) throws IOException {
      boolean touched = isTouched(page);
      out.writeBoolean(touched);
      if (touched) {
        bytes.asIntBuffer().put(page);
        out.write(bytes.array(), 0, page.length * Integer.BYTES);
      }
    }

    private static boolean isTouched(int[] page) {
      for (int number : page) {
        if (number != 0) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void end() {
      copy = null;
    }
  }
}
