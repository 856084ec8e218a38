package io.github.roram.storage;

import io.github.roram.storage.VaultTable.Entry;
import io.github.roram.storage.VaultTable.Kind;
import io.github.roram.store.AppendLog;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreDamagedException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A vault in the address space of a store, for client's records that are kept with the store.
 * Records and logs lie in chunks, which a {@link VaultTable} at the start lists.
 *
 * <p>A record is written to free chunks and synced before the table lists it. A log consists of
 * frames, each with a checksum over all before it, so that its end is found without the table, and
 * data of an earlier log is never taken for its own.
 *
 * <pre>
 *   frame: payload bytes u32, CRC-32C over the last frame's, the log's id, the length and the
 *   payload u32, payload
 * </pre>
 *
 * <p>Security: an observer of the store sees names, lengths and times, as with any vault; the
 * client seals and authenticates the records' content.
 *
 * <p>Thread safety: as the contract of vaults requires.
 */
public final class BlocksVault implements ClientVault {

  private static final int CHUNK_BYTES = VaultTable.CHUNK_BYTES;
  private static final int FRAME_HEAD = 8;
  private static final Pattern RECORD_NAME = Pattern.compile("[a-z-]+");
  private static final Pattern LOG_NAME = Pattern.compile("[a-z0-9-]+");

  private final BlockStore store;
  private final VaultTable table;

  private BlocksVault(BlockStore store, VaultTable table) {
    this.store = store;
    this.table = table;
  }

  /**
   * Opens the vault in a store of its own, which the caller closes; creates one if all is zeros.
   *
   * @throws StoreDamagedException if the store has other content
   */
  public static BlocksVault in(BlockStore store) throws IOException {
    return new BlocksVault(store, VaultTable.read(store));
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    Optional<Entry> entry = table.find(Kind.RECORD, checked(name, RECORD_NAME));
    return entry.map(found -> new ChunkInput(found, found.length()));
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    Entry entry = table.begin(Kind.RECORD, checked(name, RECORD_NAME));
    boolean written = false;
    try {
      try (OutputStream out = new BufferedOutputStream(new ChunkOutput(entry), CHUNK_BYTES)) {
        writer.writeTo(out);
      }
      store.sync();
      written = true;
    } finally {
      if (!written) {
        table.giveUp(entry);
      }
    }
    table.put(entry);
  }

  @Override
  public List<String> names() {
    return table.names(Kind.RECORD);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    Optional<Entry> found = table.find(Kind.LOG, checked(name, LOG_NAME));
    if (found.isPresent()) {
      return new ChunkLog(found.get());
    }
    Entry entry = table.begin(Kind.LOG, name);
    table.put(entry);
    return new ChunkLog(entry);
  }

  @Override
  public List<String> logs() {
    return table.names(Kind.LOG);
  }

  @Override
  public void deleteLog(String name) throws IOException {
    table.remove(Kind.LOG, checked(name, LOG_NAME));
  }

  private static String checked(String name, Pattern form) {
    if (!form.matcher(name).matches()) {
      throw new IllegalArgumentException("name is \"" + name + "\", must match " + form);
    }
    return name;
  }

  @Override
  public String toString() {
    return "vault in " + store;
  }

  /** Moves bytes between an array and existing chunks of an entry. */
  private void transfer(Entry entry, long position, byte[] bytes, int from, int count, boolean out)
      throws IOException {
    ExtentBatch batch = new ExtentBatch();
    int done = 0;
    while (done < count) {
      long at = position + done;
      int within = (int) (at % CHUNK_BYTES);
      int length = Math.min(count - done, CHUNK_BYTES - within);
      batch.reset(IoPhase.META, ExtentBatch.NO_TREE, length);
      batch.add(entry.offset((int) (at / CHUNK_BYTES)) + within, 1);
      int start = from + done;
      if (out) {
        store.write(batch, (unit, room) -> room.put(bytes, start, length));
      } else {
        store.read(batch, (unit, found) -> found.get(bytes, start, length));
      }
      done += length;
    }
  }

  /** Writes a record. */
  private final class ChunkOutput extends OutputStream {
    private final Entry entry;

    ChunkOutput(Entry entry) {
      this.entry = entry;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      long position = entry.length();
      table.reserve(entry, position + count);
      transfer(entry, position, bytes, from, count, true);
      entry.lengthen(count);
    }
  }

  /** Reads the chunks of an entry, one request per chunk. */
  private final class ChunkInput extends InputStream {
    private final Entry entry;
    private final long length;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private long position;

    ChunkInput(Entry entry, long length) {
      this.entry = entry;
      this.length = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (position >= length) {
        return -1;
      }
      int within = (int) (position % CHUNK_BYTES);
      int there = (int) Math.min(CHUNK_BYTES, length - (position - within));
      if (within == 0) {
        transfer(entry, position, chunk, 0, there, false);
      }
      int moved = Math.min(count, there - within);
      System.arraycopy(chunk, within, bytes, from, moved);
      position += moved;
      return moved;
    }
  }

  /** Reads the payload of a log's frames, up to the first invalid frame. */
  private final class FrameInput extends InputStream {
    private final InputStream raw;
    private final long room;
    private long end;
    private long payloadBytes;
    private int code;
    private byte[] payload = {};
    private int taken;

    FrameInput(Entry entry) {
      room = entry.roomBytes();
      raw = new ChunkInput(entry, room);
      code = first(entry);
    }

    /** Reads a frame; returns false at the end. */
    boolean next() throws IOException {
      byte[] head = raw.readNBytes(FRAME_HEAD);
      if (head.length < FRAME_HEAD) {
        return false;
      }
      ByteBuffer numbers = ByteBuffer.wrap(head);
      int length = numbers.getInt();
      if (length <= 0 || length > room - end - FRAME_HEAD) {
        return false;
      }
      byte[] found = raw.readNBytes(length);
      if (found.length < length || numbers.getInt() != code(code, found, 0, length)) {
        return false;
      }
      code = numbers.getInt(Integer.BYTES);
      end += FRAME_HEAD + length;
      payloadBytes += length;
      payload = found;
      taken = 0;
      return true;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (taken == payload.length && !next()) {
        return -1;
      }
      int moved = Math.min(count, payload.length - taken);
      System.arraycopy(payload, taken, bytes, from, moved);
      taken += moved;
      return moved;
    }
  }

  private static int first(Entry entry) {
    return Long.hashCode(entry.id());
  }

  private static int code(int before, byte[] payload, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(FRAME_HEAD).putInt(before).putInt(length).flip());
    crc.update(payload, from, length);
    return (int) crc.getValue();
  }

  /** A log. Cutting it starts a new log, so that the bytes cut off cannot come back. */
  private final class ChunkLog implements AppendLog {
    private Entry entry;
    private long end;
    private long payloadBytes;
    private int code;

    ChunkLog(Entry entry) throws IOException {
      this.entry = entry;
      try (FrameInput frames = new FrameInput(entry)) {
        while (frames.next()) {
          // to the end
        }
        end = frames.end;
        payloadBytes = frames.payloadBytes;
        code = frames.code;
      }
    }

    @Override
    public synchronized long bytes() {
      return payloadBytes;
    }

    @Override
    public synchronized void append(ByteBuffer bytes) throws IOException {
      write(bytes, true);
    }

    private void write(ByteBuffer bytes, boolean inTable) throws IOException {
      int length = bytes.remaining();
      if (length == 0) {
        return;
      }
      byte[] frame = new byte[FRAME_HEAD + length];
      bytes.get(frame, FRAME_HEAD, length);
      int next = code(code, frame, FRAME_HEAD, length);
      ByteBuffer.wrap(frame).putInt(length).putInt(next);
      if (table.reserve(entry, end + frame.length) && inTable) {
        table.put(entry);
      }
      transfer(entry, end, frame, 0, frame.length, true);
      end += frame.length;
      payloadBytes += length;
      code = next;
    }

    /** Writes the table first if that failed before: the store may have one without this log. */
    @Override
    public void sync() throws IOException {
      table.settle();
      store.sync();
    }

    @Override
    public synchronized InputStream read() {
      return new FrameInput(entry);
    }

    @Override
    public synchronized void truncate(long bytes) throws IOException {
      Entry fresh = table.begin(Kind.LOG, entry.name());
      ChunkLog other = new ChunkLog(fresh);
      boolean copied = false;
      try {
        other.copy(read(), Math.min(bytes, payloadBytes));
        store.sync();
        copied = true;
      } finally {
        if (!copied) {
          table.giveUp(fresh);
        }
      }
      table.put(fresh);
      entry = fresh;
      end = other.end;
      payloadBytes = other.payloadBytes;
      code = other.code;
    }

    /** Copies bytes of another log, before the table lists this one. */
    private void copy(InputStream from, long bytes) throws IOException {
      byte[] piece = new byte[CHUNK_BYTES];
      try (from) {
        while (payloadBytes < bytes) {
          int most = (int) Math.min(piece.length, bytes - payloadBytes);
          int found = from.readNBytes(piece, 0, most);
          if (found == 0) {
            throw new StoreDamagedException(
                this + " has less than was appended to it; restore it from a copy");
          }
          write(ByteBuffer.wrap(piece, 0, found), false);
        }
      }
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return entry.name() + " of " + BlocksVault.this;
    }
  }
}
