package io.github.roram.client;

import io.github.roram.IntegrityException;
import io.github.roram.cipher.SealedStream;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The client's records of a point, as a vault that has no logs.
 *
 * @param folder of the point
 * @param digests SHA-256 of records, by name, in hexadecimal: a record is refused at its end, and
 *     when it is closed before, if it has another; there are no others, whatever files there are.
 *     That of a record that is saved is of what was written, whatever the place makes of it
 */
record BackupVault(BackupPlace place, String folder, Map<String, String> digests)
    implements ClientVault {

  private static final String RECORD = ".record";

  /** Returns the file of a record. */
  String file(String name) {
    return folder + "/" + name + RECORD;
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    String digest = digests.get(name);
    if (digest == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Digested(place.read(file(name)), digest, place.place(file(name))));
    } catch (NoSuchFileException e) {
      throw Backup.missing(e);
    }
  }

  /** Reads the record of the wrapped key, which may be none, as far as such a record can go. */
  void checkKey() throws IOException {
    try (InputStream in = load(WrappedKey.RECORD).orElseGet(InputStream::nullInputStream)) {
      in.readNBytes(WrappedKeyDescriptor.MAX_BYTES + 1);
    }
  }

  /**
   * Reads a record as far as its seals say, whatever follows.
   *
   * @throws IntegrityException naming it, if it is not as it was
   */
  void check(String name, MasterKey key) throws IOException {
    InputStream record = load(name).orElseThrow();
    try (record;
        InputStream opened = SealedStream.opening(key, name, record)) {
      opened.transferTo(OutputStream.nullOutputStream());
    } catch (IntegrityException e) {
      throw (IntegrityException) Backup.changed(place.place(file(name))).initCause(e);
    }
  }

  private static final class Digested extends DigestInputStream {
    private final String expected;
    private final String place;
    private boolean ended;

    Digested(InputStream in, String expected, String place) {
      super(in, Backup.sha256());
      this.expected = expected;
      this.place = place;
    }

    @Override
    public int read() throws IOException {
      return checked(super.read());
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      return checked(super.read(bytes, from, count));
    }

    private int checked(int read) throws IOException {
      if (read < 0 && !ended) {
        ended = true;
        if (!HexFormat.of().formatHex(digest.digest()).equals(expected)) {
          throw Backup.changed(place);
        }
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      try {
        if (!ended && read() >= 0) {
          throw Backup.changed(place);
        }
      } finally {
        ended = true;
        in.close();
      }
    }
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    MessageDigest digest = Backup.sha256();
    place.write(file(name), out -> writer.writeTo(new DigestOutputStream(out, digest)));
    digests.put(name, HexFormat.of().formatHex(digest.digest()));
  }

  @Override
  public AppendLog openLog(String name) {
    throw new UnsupportedOperationException("a point has no log " + name);
  }

  @Override
  public List<String> logs() {
    return List.of();
  }

  @Override
  public void deleteLog(String name) {}
}
