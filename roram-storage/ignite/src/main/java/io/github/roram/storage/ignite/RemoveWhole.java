package io.github.roram.storage.ignite;

import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** Removes the entry of an object that is not in pieces, which must go first. */
final class RemoveWhole implements EntryProcessor<String, byte[], byte[]> {

  /** Returns the entry of an object in pieces, which is left; else null. */
  @Override
  public byte @Nullable [] process(MutableEntry<String, byte[]> entry, Object... arguments) {
    byte[] value = entry.getValue();
    if (value == null || value[0] != Entry.WHOLE) {
      return value;
    }
    entry.remove();
    return null;
  }
}
