package io.github.roram.storage.ignite;

import java.util.Arrays;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * Reads a part of an object where its entry is, so that no more than the part is sent. It has the
 * form of an update, so a node that is not with the {@link Majority} does not answer.
 */
final class ReadPart implements EntryProcessor<String, byte[], byte[]> {

  /**
   * Arguments: an offset, a {@link Long}, and most bytes, an {@link Integer}.
   *
   * @return an entry with the part alone, or the entry of an object that is in pieces; null if
   *     there is none
   */
  @Override
  public byte @Nullable [] process(MutableEntry<String, byte[]> entry, Object... arguments) {
    byte[] value = entry.getValue();
    if (value == null || value[0] != Entry.WHOLE) {
      return value;
    }
    int from = (int) Math.min(value.length, 1 + (Long) arguments[0]);
    int bytes = Math.min(value.length - from, (Integer) arguments[1]);
    // From the byte before, which becomes the kind of entry.
    byte[] part = Arrays.copyOfRange(value, from - 1, from + bytes);
    part[0] = Entry.WHOLE;
    return part;
  }
}
