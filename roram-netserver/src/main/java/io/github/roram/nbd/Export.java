package io.github.roram.nbd;

import io.github.roram.ConfigurationException;
import java.nio.charset.StandardCharsets;

/**
 * A device that is served under a name.
 *
 * @param name name that clients ask for; up to 255 bytes of UTF-8. Clients that ask for the empty
 *     name get the first export of a server
 * @param description text for people to read
 * @param readOnly whether writes are refused. To the store, reads still look like writes
 * @param device the device, which the caller closes
 */
public record Export(String name, String description, boolean readOnly, BlockDevice device) {

  static final int MAX_NAME_BYTES = 255;

  /**
   * Checks the name.
   *
   * @throws ConfigurationException if it is too long, or has invalid characters
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
