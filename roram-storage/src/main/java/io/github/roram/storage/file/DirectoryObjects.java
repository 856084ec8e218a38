package io.github.roram.storage.file;

import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.threads.IoTask;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects as files below a directory, on a local file system or one that several machines mount; a
 * slash in a name makes a directory. Files are readable by their owner only.
 *
 * <p>An object is written to a temporary file and forced to the medium. A put then renames the file
 * to the object's name; a create links it to the name, which fails if the name is taken. Then the
 * directory is forced. Temporary files that a crash leaves stay in {@value #ASIDE}, and are no
 * objects.
 */
public final class DirectoryObjects implements ObjectSpace {

  /** Directory of temporary files; no part of a name can be this. */
  static final String ASIDE = ".aside";

  private static final int MOST_TRIES = 100;

  static final ObjectTraits TRAITS = new ObjectTraits(1, 8, true, ObjectTraits.Prices.NONE);

  private final Path root;

  /** Directories that are durable with their parents; forgotten before they are created again. */
  private final Set<Path> made = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * Creates a space of objects below a directory.
   *
   * @param root the directory, which is created with the first object
   */
  public DirectoryObjects(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, OBJECT_BYTES);
    checkOpen();
    Path file = place(name);
    Path aside = writeAside(bytes);
    try {
      inDirectory(file, () -> Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE));
    } finally {
      Files.deleteIfExists(aside);
    }
    syncDirectory(parentOf(file));
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, CREATE_BYTES);
    checkOpen();
    Path file = place(name);
    Path aside = writeAside(bytes);
    boolean[] mine = new boolean[1];
    try {
      inDirectory(file, () -> mine[0] = link(aside, file) || isContent(file, bytes));
    } finally {
      Files.deleteIfExists(aside);
    }
    // Another's, too: what follows from it must not be durable before it.
    syncDirectory(parentOf(file));
    return mine[0];
  }

  /**
   * Returns the file of an object. Refuses a link on the way: anyone with access to the directory
   * could make one to other files of the user.
   */
  private Path place(String name) throws IOException {
    Path path = root;
    for (String part : name.split("/")) {
      path = DurableFiles.requireNoLink(path.resolve(part));
    }
    return path;
  }

  /** Repeats a task whose directory was deleted, since it was empty, after its creation. */
  private void inDirectory(Path file, IoTask placing) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        makeDirectory(parentOf(file));
        placing.run();
        return;
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        // The latter while it is made: it was there, and was gone when it was looked at.
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private static boolean link(Path aside, Path file) throws IOException {
    try {
      Files.createLink(file, aside);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (UnsupportedOperationException e) {
      throw new IOException(
          "the file system of "
              + file
              + " has no hard links, without which no object can be"
              + " created once: take a directory of another file system",
          e);
    }
  }

  private static boolean isContent(Path file, ByteBuffer bytes) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      byte[] there = new byte[(int) Math.min(in.length(), CREATE_BYTES + 1)];
      in.readFully(there);
      return ByteBuffer.wrap(there).equals(bytes);
    }
  }

  private Path writeAside(ByteBuffer bytes) throws IOException {
    Path aside = place(ASIDE).resolve(UUID.randomUUID().toString());
    inDirectory(aside, () -> Files.createFile(aside, OwnerOnly.file(aside)));
    byte[] content = new byte[bytes.remaining()];
    bytes.duplicate().get(content);
    try {
      DurableFiles.write(aside, content);
    } catch (IOException e) {
      Files.deleteIfExists(aside);
      throw DurableFiles.orFull(aside, e);
    }
    return aside;
  }

  private void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      synchronized (made) {
        made.removeIf(directory::startsWith);
        Files.createDirectories(directory, OwnerOnly.directory(directory));
      }
    }
  }

  /** Syncs a directory and its parents, even if another process has just created it. */
  private void syncDirectory(Path directory) throws IOException {
    DurableFiles.syncDirectory(directory);
    if (made.contains(directory)) {
      return;
    }
    synchronized (made) {
      for (Path path = directory; path.startsWith(root); path = parentOf(path)) {
        DurableFiles.syncDirectory(parentOf(path));
      }
      made.add(directory);
    }
  }

  private static Path parentOf(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    ObjectSpace.checkName(name);
    checkOpen();
    byte[] piece;
    try (RandomAccessFile in = new RandomAccessFile(place(name).toFile(), "r")) {
      long length = in.length();
      if (offset >= length) {
        return 0;
      }
      piece = new byte[(int) Math.min(to.remaining(), length - offset)];
      in.seek(offset);
      in.readFully(piece);
    } catch (FileNotFoundException e) {
      if (Files.isRegularFile(root.resolve(name))) {
        throw e;
      }
      NoSuchObjectException none = new NoSuchObjectException(name);
      none.initCause(e);
      throw none;
    }
    to.put(piece);
    return piece.length;
  }

  /** Returns all names, since a directory is read as a whole. Ignores other files, even links. */
  @Override
  public List<String> list(String prefix, String after) throws IOException {
    checkOpen();
    Path directory = root.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1));
    List<String> names = new ArrayList<>();
    addNames(directory, prefix, after, names);
    Collections.sort(names);
    return names;
  }

  private void addNames(Path directory, String prefix, String after, List<String> names)
      throws IOException {
    String[] found = directory.toFile().list();
    if (found == null) {
      if (Files.exists(directory)) {
        throw new IOException("cannot read the directory " + directory);
      }
      return;
    }
    Arrays.sort(found);
    for (String child : found) {
      Path path = directory.resolve(child);
      String name = root.relativize(path).toString().replace('\\', '/');
      if (!ObjectSpace.isName(name)
          || !(name.startsWith(prefix) || prefix.startsWith(name + "/"))) {
        continue;
      }
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        addNames(path, prefix, after, names);
      } else if (name.startsWith(prefix)
          && name.compareTo(after) > 0
          && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        names.add(name);
      }
    }
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    checkOpen();
    Set<Path> directories = new HashSet<>();
    for (String name : names) {
      Path file = place(ObjectSpace.checkName(name));
      Files.deleteIfExists(file);
      directories.add(parentOf(file));
    }
    directories.forEach(this::deleteIfEmpty);
  }

  /** Deletes a directory and its parents as far as they are empty; a put creates them again. */
  private void deleteIfEmpty(Path directory) {
    try {
      for (Path path = directory; path.startsWith(root); path = parentOf(path)) {
        if (path.equals(root)) {
          Files.deleteIfExists(root.resolve(ASIDE));
        }
        Files.deleteIfExists(path);
        made.remove(path);
      }
    } catch (IOException e) {
      // The directory is in use.
    }
  }

  @Override
  public boolean isBeside(Path place) {
    return DurableFiles.isWithin(place, root);
  }

  @Override
  public ObjectTraits traits() {
    return TRAITS;
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "objects:" + root;
  }
}
