package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import java.nio.ByteBuffer;

/**
 * What a superblock says of the areas beyond the scheme's parameters (big endian).
 *
 * <pre>
 *    0  most writes without a sync    u32
 * </pre>
 *
 * All places depend on it, by the slack S. Another version may give new stores more or less.
 */
final class AreasDescriptor {

  private static final int BYTES = Integer.BYTES;

  private AreasDescriptor() {}

  /** The layout of a new store. */
  static byte[] encode(Areas areas) {
    return ByteBuffer.allocate(BYTES).putInt(areas.mostUnsynced()).array();
  }

  /**
   * The areas of a store.
   *
   * @throws IntegrityException if no version made the layout
   */
  static Areas decode(OramConfig config, byte[] layout) {
    int unsynced = layout.length == BYTES ? ByteBuffer.wrap(layout).getInt() : 0;
    if (unsynced < 1 || unsynced > config.blocks()) {
      throw new IntegrityException(
          "the superblock says of the areas of DetWoORAM what this version of roram does not know ("
              + layout.length
              + " bytes, "
              + unsynced
              + " writes without a sync); export the data with the version that made the store, and"
              + " import them into a new one");
    }
    return new Areas(config, unsynced);
  }
}
