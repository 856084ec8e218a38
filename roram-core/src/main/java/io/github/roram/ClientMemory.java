package io.github.roram;

import java.util.List;

/**
 * What a client holds in memory, item by item.
 *
 * <p>The items count the ORAM's arrays: blocks that it holds, metadata about blocks, and working
 * space of operations. They do not count the Java virtual machine itself, objects of a few bytes,
 * garbage that has not been collected, or the buffers of callers and of stores.
 *
 * @param items the uses of memory; their names are for people to read
 */
public record ClientMemory(List<Item> items) {

  /** The value for an ORAM that does not report its memory. */
  public static final ClientMemory UNKNOWN = new ClientMemory(List.of());

  /** Name of the item for the journal's buffers. */
  public static final String JOURNAL = "journal";

  /** Name of the item for the copy that a checkpoint makes of the client's state. */
  public static final String COPY = "copy for a checkpoint";

  /**
   * One use of memory.
   *
   * @param name what the memory is for, in a few words
   * @param bytes size in bytes
   */
  public record Item(String name, long bytes) {}

  /** Copies the list. */
  public ClientMemory {
    items = List.copyOf(items);
  }

  /** Returns the sum of all items in bytes. */
  public long bytes() {
    return items.stream().mapToLong(Item::bytes).sum();
  }

  /** Returns the bytes of an item; 0 if there is none of that name. */
  public long bytes(String name) {
    return items.stream().filter(item -> item.name.equals(name)).mapToLong(Item::bytes).sum();
  }
}
