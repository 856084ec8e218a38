package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import java.util.regex.Pattern;

/**
 * The identity of a client, as written in access lists, certificates, token files and logs.
 *
 * @param name 1 to 64 letters, digits, dots, underscores, at signs and hyphens, the first a letter
 *     or digit
 */
public record ClientIdentity(String name) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  /** The identity of clients without credentials: only over loopback, and only where allowed. */
  public static final ClientIdentity ANONYMOUS = new ClientIdentity("anonymous");

  /**
   * Checks the name.
   *
   * @throws ConfigurationException if it is not a valid name
   */
  public ClientIdentity {
    if (!isName(name)) {
      throw new ConfigurationException(
          "identity is \""
              + name
              + "\", must be 1 to 64 letters, digits and ._@-, and start with a letter or digit");
    }
  }

  /** Returns whether a name is valid for an identity. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  @Override
  public String toString() {
    return name;
  }
}
