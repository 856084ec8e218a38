package io.github.roram;

import java.util.List;

/**
 * What a client holds in memory, item by item.
 *
 * <p>Counted are the arrays of the ORAM: what it holds of blocks, what it knows of them, and what
 * its operations work in. Not counted are the Java virtual machine itself, objects of a few bytes,
 * what waits for the garbage collector, and the buffers of callers and of stores.
 *
 * @param items what it is made of; names are for people
 */
public record ClientMemory(List<Item> items) {

  /** Of an ORAM that does not say. */
  public static final ClientMemory UNKNOWN = new ClientMemory(List.of());

  /** Name of what the journal takes. */
  public static final String JOURNAL = "journal";

  /** Name of what a checkpoint copies while it is made. */
  public static final String COPY = "copy for a checkpoint";

  /**
   * One use of memory.
   *
   * @param name what it is for, in a few words
   * @param bytes how much
   */
  public record Item(String name, long bytes) {}

  /** Copies the list. */
  public ClientMemory {
    items = List.copyOf(items);
  }

  /** The sum of all items. */
  public long bytes() {
    return items.stream().mapToLong(Item::bytes).sum();
  }

  /** Bytes of an item; 0 if there is none of that name. */
  public long bytes(String name) {
    return items.stream().filter(item -> item.name.equals(name)).mapToLong(Item::bytes).sum();
  }
}
