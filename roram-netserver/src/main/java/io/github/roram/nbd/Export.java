package io.github.roram.nbd;

import io.github.roram.ConfigurationException;
import java.nio.charset.StandardCharsets;

/**
 * A device under a name.
 *
 * @param name what clients ask for; up to 255 bytes of UTF-8. The first export of a server is also
 *     the one of those who ask for the empty name
 * @param description for people
 * @param readOnly whether writes are refused. To the store, reads look like writes all the same
 * @param device what is served; the caller's to close
 */
public record Export(String name, String description, boolean readOnly, BlockDevice device) {

  static final int MAX_NAME_BYTES = 255;

  /**
   * Checks the name.
   *
   * @throws ConfigurationException if it is too long, or has characters that are none
   */
  public Export {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_NAME_BYTES || name.chars().anyMatch(Character::isISOControl)) {
      throw new ConfigurationException(
          "an export's name has "
              + bytes
              + " bytes, must have up to "
              + MAX_NAME_BYTES
              + " and no control characters");
    }
    if (description.getBytes(StandardCharsets.UTF_8).length > 4096) {
      throw new ConfigurationException("an export's description has more than 4096 bytes");
    }
  }
}
