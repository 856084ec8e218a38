package io.github.roram.testkit;

import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;

/** Objects on a {@link SimulatedDisk}: one file per object, durable when its call returns. */
public final class DiskObjects implements ObjectSpace {

  private static final String OBJECT = "object ";

  private final SimulatedDisk disk;

  /** Opens the objects of a disk. */
  public DiskObjects(SimulatedDisk disk) {
    this.disk = disk;
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, OBJECT_BYTES);
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    disk.replace(OBJECT + name, copy);
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, CREATE_BYTES);
    synchronized (disk) {
      if (!disk.exists(OBJECT + name)) {
        put(name, bytes);
      }
      return ByteBuffer.wrap(readWhole(name, CREATE_BYTES + 1)).equals(bytes);
    }
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    ObjectSpace.checkName(name);
    synchronized (disk) {
      if (!disk.exists(OBJECT + name)) {
        throw new NoSuchObjectException(name);
      }
      SimulatedDisk.DiskFile file = disk.open(OBJECT + name, 0);
      int bytes = (int) Math.max(0, Math.min(to.remaining(), file.bytes() - offset));
      to.put(disk.read(file, offset, bytes));
      return bytes;
    }
  }

  @Override
  public List<String> list(String prefix, String after) throws IOException {
    return disk.names().stream()
        .filter(name -> name.startsWith(OBJECT + prefix))
        .map(name -> name.substring(OBJECT.length()))
        .filter(name -> name.compareTo(after) > 0)
        .sorted()
        .toList();
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    for (String name : names) {
      disk.delete(OBJECT + name);
    }
  }

  /** Returns traits with one request at a time, so that a run can be repeated. */
  @Override
  public ObjectTraits traits() {
    return new ObjectTraits(1, 1, true, ObjectTraits.Prices.NONE);
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "objects on a disk";
  }
}
