package io.github.roram.object;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Objects in a map, for tests and trials: they last as long as a handle to the map. */
public final class MemoryObjects implements ObjectSpace {

  private static final int PAGE_NAMES = 1000;

  private final ConcurrentNavigableMap<String, byte[]> objects;
  private volatile boolean closed;

  /** Creates an empty set of objects. */
  public MemoryObjects() {
    this(new ConcurrentSkipListMap<>());
  }

  private MemoryObjects(ConcurrentNavigableMap<String, byte[]> objects) {
    this.objects = objects;
  }

  /** Returns another client's handle to the same objects, which is closed separately. */
  public MemoryObjects another() {
    return new MemoryObjects(objects);
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws ClosedChannelException {
    ObjectSpace.checkBytes(name, bytes, OBJECT_BYTES);
    checkOpen();
    objects.put(name, copy(bytes));
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws ClosedChannelException {
    ObjectSpace.checkBytes(name, bytes, CREATE_BYTES);
    checkOpen();
    byte[] mine = copy(bytes);
    byte[] there = objects.putIfAbsent(name, mine);
    return there == null || Arrays.equals(there, mine);
  }

  private static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }

  @Override
  public int read(String name, long offset, ByteBuffer to)
      throws ClosedChannelException, NoSuchObjectException {
    checkOpen();
    byte[] object = objects.get(ObjectSpace.checkName(name));
    if (object == null) {
      throw new NoSuchObjectException(name);
    }
    if (offset >= object.length) {
      return 0;
    }
    int bytes = (int) Math.min(to.remaining(), object.length - offset);
    to.put(object, (int) offset, bytes);
    return bytes;
  }

  @Override
  public byte[] readWhole(String name, int mostBytes)
      throws ClosedChannelException, NoSuchObjectException {
    checkOpen();
    byte[] object = objects.get(ObjectSpace.checkName(name));
    if (object == null) {
      throw new NoSuchObjectException(name);
    }
    return Arrays.copyOf(object, Math.min(mostBytes, object.length));
  }

  @Override
  public List<String> list(String prefix, String after) throws ClosedChannelException {
    checkOpen();
    boolean fromPrefix = after.compareTo(prefix) < 0;
    List<String> page = new ArrayList<>();
    for (String name : objects.tailMap(fromPrefix ? prefix : after, fromPrefix).keySet()) {
      if (!name.startsWith(prefix) || page.size() == PAGE_NAMES) {
        break;
      }
      page.add(name);
    }
    return page;
  }

  @Override
  public void delete(Collection<String> names) throws ClosedChannelException {
    checkOpen();
    names.forEach(objects::remove);
  }

  @Override
  public ObjectTraits traits() {
    return new ObjectTraits(1, 1, false, ObjectTraits.Prices.NONE);
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
    return "objects in memory";
  }
}
