package io.github.roram.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.roram.ConfigurationException;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.objects.HeapShare;
import io.github.roram.store.ClientVault;
import io.github.roram.store.PrintableText;
import io.github.roram.store.StoreLockedException;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Backups as objects, of an engine or in a volume:
 *
 * <pre>
 *   pieces/LOG/FIRST-END/EPOCH-LIFE/PART     units, and a code of 32 bytes
 *   moments/UUID/point/PART                  text, authenticated: BackupPoint
 *   moments/UUID/superblock, state, epoch, key/PART
 *   points/NUMBER                            created once: the UUID
 * </pre>
 *
 * A file is parts of {@value #PART_BYTES} bytes and one that is shorter; the first is written last,
 * so a file that has it is whole. No name gets a second content: a moment is one attempt's.
 *
 * <p>There is no lock. Of several clients that take a point one gets its number. What is deleted
 * was there before the own point was, and no point that is kept has it, so a client that was
 * replaced takes nothing from its successor.
 */
final class BackupObjects implements BackupPlace {

  private static final int PART_BYTES = 1 << 24;

  /** Room for the code: a piece is one object. */
  private static final int PIECE_BYTES = PART_BYTES - (1 << 12);

  /** What is read at a time; parts are whole ones. */
  private static final int WINDOW_BYTES = 1 << 22;

  /** A list of names may take this part of the heap; a few lists are held at a time. */
  private static final int HEAP_SHARE = 8;

  private static final int UUID_CHARS = 36;
  private static final String MOMENTS = "moments/";
  private static final String FIRST = "/0";

  private final BackupTarget target;
  private @Nullable ObjectSpace opened;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** What may be deleted, if nobody needs it: there since before the point, or written for it. */
  private final Set<String> known = new HashSet<>();

  BackupObjects(BackupTarget target) {
    this.target = target;
  }

  /** Returns the objects; none that last where no place was made for them yet. */
  private ObjectSpace objects() throws IOException {
    return objects(0).orElseGet(MemoryObjects::new);
  }

  private synchronized Optional<ObjectSpace> objects(long roomBytes) throws IOException {
    if (opened == null) {
      opened = target.opening().open(roomBytes).orElse(null);
    }
    return Optional.ofNullable(opened);
  }

  @Override
  public long pieceBytes() {
    return PIECE_BYTES;
  }

  @Override
  public Closeable begin(long roomBytes) throws IOException {
    ObjectSpace objects = objects(roomBytes).orElseThrow();
    if (points().isEmpty()) {
      checkNothingElse();
    }
    if (!busy.compareAndSet(false, true)) {
      throw new StoreLockedException("another backup is at work in " + objects);
    }
    boolean done = false;
    try {
      known.clear();
      forEachName(PIECES, known::add);
      forEachName(MOMENTS, known::add);
      done = true;
      return () -> busy.set(false);
    } finally {
      busy.set(done);
    }
  }

  private void checkNothingElse() throws IOException {
    for (String name : objects().list("", "")) {
      if (!name.startsWith(PIECES) && !name.startsWith(MOMENTS)) {
        throw new ConfigurationException(
            target
                + " has other objects and no backup, "
                + PrintableText.of(name)
                + " for one; name another place");
      }
    }
  }

  /** Passes on all names with a prefix, as long as there is memory for what an engine invents. */
  private void forEachName(String prefix, Consumer<String> each) throws IOException {
    HeapShare held =
        new HeapShare(target + " has more names in " + prefix + " than fit", HEAP_SHARE);
    objects()
        .forEach(
            prefix,
            "",
            name -> {
              held.add(Backup.NAME_BYTES + name.length());
              each.accept(name);
            });
  }

  /** The object that has a part of a file. */
  private static String object(String file, int part) {
    return file.replace(".record", "").replace('_', '/') + "/" + Integer.toHexString(part);
  }

  @Override
  public Set<String> pieces() throws IOException {
    Set<String> names = new HashSet<>();
    forEachName(
        PIECES,
        name -> {
          if (name.endsWith(FIRST)) {
            String file = name.substring(PIECES.length(), name.length() - FIRST.length());
            names.add(file.replace('/', '_'));
          }
        });
    return names;
  }

  @Override
  public Set<Integer> points() throws IOException {
    Set<Integer> numbers = new TreeSet<>();
    forEachName(
        POINTS,
        name -> {
          String number = name.substring(POINTS.length());
          if (number.matches("\\d{6,9}")) {
            numbers.add(Integer.valueOf(number));
          }
        });
    return numbers;
  }

  private static String point(int number) {
    return POINTS + String.format(Locale.ROOT, "%06d", number);
  }

  @Override
  public String newPoint() {
    return MOMENTS + UUID.randomUUID();
  }

  @Override
  public void publish(String folder, int number) throws IOException {
    byte[] moment = folder.substring(MOMENTS.length()).getBytes(US_ASCII);
    if (!objects().createOnce(point(number), ByteBuffer.wrap(moment))) {
      throw new StoreLockedException(
          "another client took point " + number + " in " + target + " at the same time");
    }
  }

  @Override
  public String folder(int number) throws IOException {
    byte[] moment;
    try {
      moment = objects().readWhole(point(number), UUID_CHARS + 1);
    } catch (NoSuchObjectException e) {
      throw missing(point(number), e);
    }
    String name = new String(moment, US_ASCII);
    // Whatever the engine says, it names a moment, or nothing that there is.
    return MOMENTS + (name.matches("[0-9a-f-]{" + UUID_CHARS + "}") ? name : "none");
  }

  private NoSuchFileException missing(String name, NoSuchObjectException e) {
    NoSuchFileException missing = new NoSuchFileException(place(name));
    missing.initCause(e);
    return missing;
  }

  @Override
  public InputStream read(String name) throws IOException {
    return new PartsInput(name);
  }

  @Override
  public void write(String name, ClientVault.Writer writer) throws IOException {
    PartsOutput parts = new PartsOutput(name);
    try (OutputStream out = new BufferedOutputStream(parts, 1 << 16)) {
      writer.writeTo(out);
      out.flush();
      parts.finish();
    }
  }

  private void put(String name, int part, ByteBuffer bytes) throws IOException {
    String object = object(name, part);
    known.add(object);
    objects().put(object, bytes);
  }

  @Override
  public void deletePoint(int number) throws IOException {
    objects().delete(List.of(point(number)));
  }

  @Override
  public void deleteAllBut(Set<String> pieces) throws IOException {
    Set<String> needed = new HashSet<>();
    for (String piece : pieces) {
      needed.add(parent(object(PIECES + piece, 0)));
    }
    for (int number : points()) {
      needed.add(folder(number));
    }
    objects().delete(known.stream().filter(name -> !needed.contains(owner(name))).toList());
  }

  /** The piece, or the moment, that an object is a part of. */
  private static String owner(String object) {
    String file = parent(object);
    return file.startsWith(PIECES) ? file : parent(file);
  }

  private static String parent(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  @Override
  public String place(String name) {
    return name + " of " + target;
  }

  /** Cuts a file into parts. */
  private final class PartsOutput extends OutputStream {
    private final String file;
    private ByteBuffer part = ByteBuffer.allocate(PART_BYTES);
    private @Nullable ByteBuffer first;
    private int full;

    PartsOutput(String file) {
      this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      int done = 0;
      while (done < count) {
        int length = Math.min(count - done, part.remaining());
        part.put(bytes, from + done, length);
        done += length;
        if (!part.hasRemaining()) {
          next();
        }
      }
    }

    private void next() throws IOException {
      part.flip();
      if (full == 0) {
        first = part;
        part = ByteBuffer.allocate(PART_BYTES);
      } else {
        put(file, full, part);
        part.clear();
      }
      full++;
    }

    void finish() throws IOException {
      put(file, full, part.flip());
      if (first != null) {
        put(file, 0, first);
      }
    }
  }

  /** Reads a file's parts, up to the one that is shorter. */
  private final class PartsInput extends InputStream {
    private final String file;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    private int part;
    private int offset;
    private boolean ended;

    /** Reads the beginning. */
    PartsInput(String file) throws IOException {
      this.file = file;
      advance();
    }

    private void advance() throws IOException {
      window.clear();
      try {
        offset += objects().read(object(file, part), offset, window);
      } catch (NoSuchObjectException e) {
        throw missing(file, e);
      } finally {
        window.flip();
      }
      ended = window.limit() < WINDOW_BYTES;
      if (offset == PART_BYTES) {
        part++;
        offset = 0;
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      while (!window.hasRemaining()) {
        if (ended) {
          return -1;
        }
        advance();
      }
      int length = Math.min(count, window.remaining());
      window.get(to, from, length);
      return length;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (opened != null) {
      opened.close();
    }
  }

  @Override
  public String toString() {
    return target.uri();
  }
}
