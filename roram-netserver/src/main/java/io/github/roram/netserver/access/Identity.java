package io.github.roram.netserver.access;

import io.github.roram.ConfigurationException;
import java.util.regex.Pattern;

/**
 * The name of a client, as access lists, certificates and token files write it.
 *
 * @param name 1 to 64 letters, digits, dots, underscores, at signs and hyphens, the first a letter
 *     or digit
 */
public record Identity(String name) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  /** Who connects without showing anything: only over loopback, and only where allowed. */
  public static final Identity ANONYMOUS = new Identity("anonymous");

  /**
   * Checks the name.
   *
   * @throws ConfigurationException if it is none
   */
  public Identity {
    if (!isName(name)) {
      throw new ConfigurationException(
          "identity is \""
              + name
              + "\", must be 1 to 64 letters, digits and ._@-, and start with a letter or digit");
    }
  }

  /** Whether an identity can have that name. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  @Override
  public String toString() {
    return name;
  }
}
