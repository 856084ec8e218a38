package io.github.roram.client;

/** The kind of secret that unlocks a store's master key. */
public enum KeySource {
  /** A passphrase, hashed with Argon2id. */
  PASSPHRASE("a passphrase"),
  /** 32 random bytes in a file. */
  KEY_FILE("a key file"),
  /** 32 random bytes in an environment variable. */
  ENVIRONMENT("a key in an environment variable");

  private final String description;

  KeySource(String description) {
    this.description = description;
  }

  @Override
  public String toString() {
    return description;
  }
}
