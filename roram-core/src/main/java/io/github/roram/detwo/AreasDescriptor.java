package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import java.nio.ByteBuffer;

/**
 * The part of a superblock that describes the areas, beyond the scheme's parameters (big endian).
 *
 * <pre>
 *    0  arrangement                   u32   1: one ring for both areas
 *    4  most writes without a sync    u32
 * </pre>
 *
 * All places depend on both fields, on the latter through the slack S. Another version may give new
 * stores another slack.
 */
final class AreasDescriptor {

  private static final int BYTES = 2 * Integer.BYTES;
  private static final int ONE_RING = 1;

  private AreasDescriptor() {}

  /** Returns the layout of a new store. */
  static byte[] encode(Areas areas) {
    return ByteBuffer.allocate(BYTES).putInt(ONE_RING).putInt(areas.mostUnsynced()).array();
  }

  /**
   * Returns the areas of a store.
   *
   * @throws IntegrityException if no version wrote this layout
   */
  static Areas decode(OramConfig config, byte[] layout) {
    ByteBuffer said = ByteBuffer.wrap(layout.length == BYTES ? layout : new byte[BYTES]);
    int arrangement = said.getInt();
    int unsynced = said.getInt();
    if (arrangement != ONE_RING || unsynced < 1 || unsynced > config.blocks()) {
      throw new IntegrityException(
          "the superblock says of the areas of DetWoORAM what this version of roram does not know ("
              + layout.length
              + " bytes, arrangement "
              + arrangement
              + ", "
              + unsynced
              + " writes without a sync); export the data with the version that made the store, and"
              + " import them into a new one");
    }
    return new Areas(config, unsynced);
  }
}
