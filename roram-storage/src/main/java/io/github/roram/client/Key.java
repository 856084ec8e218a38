package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key of a store: a key in a file, in an environment variable or in memory, or a passphrase.
 * The secret is read only when a store is created or opened.
 *
 * <p>If you lose it, the data is lost.
 */
public abstract class Key {

  private final KeySource source;

  private Key(KeySource source) {
    this.source = source;
  }

  /** Supplies a passphrase. */
  @FunctionalInterface
  public interface PassphraseSource {
    /** Returns the passphrase, in an array that is wiped after use. */
    char[] read() throws IOException;
  }

  /**
   * Returns the key in a file: 32 raw bytes or 64 hexadecimal digits. The file must belong to its
   * owner alone ({@code chmod 600}).
   */
  public static Key file(Path file) {
    return new Key(KeySource.KEY_FILE) {
      @Override
      MasterKey secret(@Nullable PassphraseParameters parameters) throws IOException {
        return KeyFile.read(file);
      }

      @Override
      MasterKey newSecret(@Nullable PassphraseParameters parameters) throws IOException {
        if (Files.notExists(file)) {
          throw new ConfigurationException(
              "key file "
                  + file
                  + " does not exist; add --new-key to generate one there (in Java: Key.newFile)");
        }
        return KeyFile.read(file);
      }
    };
  }

  /** Returns a key in a file that must not exist: creating a store with it generates the key. */
  public static Key newFile(Path file) {
    return new Key(KeySource.KEY_FILE) {
      private boolean generated;

      @Override
      MasterKey secret(@Nullable PassphraseParameters parameters) throws IOException {
        return KeyFile.read(file);
      }

      @Override
      MasterKey newSecret(@Nullable PassphraseParameters parameters) throws IOException {
        // What an earlier call generated unlocks something by now.
        generated = false;
        MasterKey key = KeyFile.generate(file);
        generated = true;
        return key;
      }

      @Override
      public void discard() throws IOException {
        if (generated) {
          Files.deleteIfExists(file);
        }
      }
    };
  }

  /** Returns the key in an environment variable: 64 hexadecimal digits. */
  public static Key variable(String name) {
    return variable(name, System.getenv());
  }

  /** Returns the key in a variable as {@link #variable(String)} does, given all variables. */
  public static Key variable(String name, Map<String, String> variables) {
    return new Key(KeySource.ENVIRONMENT) {
      @Override
      MasterKey secret(@Nullable PassphraseParameters parameters) {
        return ofVariable(name, variables.get(name));
      }
    };
  }

  /** Reads the key; the variable itself stays, since Java cannot wipe it. */
  private static MasterKey ofVariable(String name, @Nullable String value) {
    if (value == null) {
      throw new ConfigurationException("environment variable " + name + " is not set");
    }
    byte[] digits = value.getBytes(StandardCharsets.ISO_8859_1);
    byte[] secret = new byte[MasterKey.BYTES];
    try {
      if (!KeyFile.parseHex(digits, secret)) {
        throw new ConfigurationException(
            "environment variable " + name + " is no key; it must hold 64 hexadecimal digits");
      }
      return MasterKey.copyOf(secret);
    } finally {
      Arrays.fill(digits, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  /**
   * Returns a key in memory. On the command line, a key file with the same bytes unlocks the store.
   *
   * @param key the key, which the caller closes after creating or opening the store
   */
  public static Key of(MasterKey key) {
    return new Key(KeySource.KEY_FILE) {
      @Override
      MasterKey secret(@Nullable PassphraseParameters parameters) {
        return key.duplicate();
      }
    };
  }

  /**
   * Returns a passphrase as a key.
   *
   * @param passphrase the passphrase, which the caller wipes after creating or opening the store
   */
  public static Key passphrase(char[] passphrase) {
    return passphrase(passphrase::clone);
  }

  /** Returns the passphrase in the first line of a UTF-8 file, which only its owner may access. */
  public static Key passphraseFile(Path file) {
    return passphrase(() -> firstLine(file));
  }

  /** Returns a passphrase that is read each time it is needed. */
  public static Key passphrase(PassphraseSource passphrase) {
    return new Key(KeySource.PASSPHRASE) {
      @Override
      MasterKey secret(@Nullable PassphraseParameters parameters) throws IOException {
        if (parameters == null) {
          throw new IllegalStateException("the parameters of the passphrase are missing");
        }
        char[] characters = passphrase.read();
        try {
          if (characters.length == 0) {
            throw new ConfigurationException(
                "no passphrase was given; an empty one protects nothing");
          }
          return parameters.derive(characters);
        } finally {
          Arrays.fill(characters, '\0');
        }
      }
    };
  }

  private static char[] firstLine(Path file) throws IOException {
    byte[] content = SecretFile.read(file, "passphrase file", 4096);
    CharBuffer text = CharBuffer.allocate(0);
    try {
      int end = 0;
      while (end < content.length && content[end] != '\n' && content[end] != '\r') {
        end++;
      }
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content, 0, end));
      if (!text.hasRemaining()) {
        throw new ConfigurationException("passphrase file " + file + " starts with an empty line");
      }
      char[] characters = new char[text.remaining()];
      text.duplicate().get(characters);
      return characters;
    } catch (CharacterCodingException e) {
      throw new ConfigurationException("passphrase file " + file + " is not text in UTF-8");
    } finally {
      Arrays.fill(content, (byte) 0);
      Arrays.fill(text.array(), '\0');
    }
  }

  /** Returns the kind of secret. */
  public final KeySource source() {
    return source;
  }

  /** Returns the secret, which the caller closes. */
  abstract MasterKey secret(@Nullable PassphraseParameters parameters) throws IOException;

  /** Returns the secret that is to unlock something from now on, which the caller closes. */
  MasterKey newSecret(@Nullable PassphraseParameters parameters) throws IOException {
    return secret(parameters);
  }

  /** Seals keys under this key's secret. */
  public WrappedKey lock(WrappedKey.Keys keys) throws IOException {
    PassphraseParameters parameters =
        source == KeySource.PASSPHRASE ? PassphraseParameters.fresh() : null;
    try (MasterKey secret = newSecret(parameters)) {
      return WrappedKey.wrap(keys, secret, source, parameters);
    }
  }

  /** Deletes the key file that {@link #lock} generated, if what it locked was not created. */
  public void discard() throws IOException {
    // There is none.
  }

  /**
   * Returns the secret that unlocks a wrapped key.
   *
   * @param store the store's name, for messages
   * @return the secret, which the caller closes
   * @throws ConfigurationException if it is locked with another kind of secret
   */
  public MasterKey secretOf(WrappedKey wrapped, String store) throws IOException {
    KeySource locked = wrapped.source();
    if ((locked == KeySource.PASSPHRASE) != (source == KeySource.PASSPHRASE)) {
      throw new ConfigurationException(
          store
              + " is locked with "
              + locked
              + "; "
              + switch (locked) {
                case PASSPHRASE ->
                    "give --passphrase-file FILE, or nothing to be asked (in Java: Key.passphrase)";
                case KEY_FILE -> "name it with --key-file FILE (in Java: Key.file)";
                case ENVIRONMENT -> "name it with --key-env NAME (in Java: Key.variable)";
              });
    }
    return secret(wrapped.passphrase().orElse(null));
  }

  /**
   * Returns the master key of a store, and the new one if its key is being changed. If the client
   * has no wrapped key, because a program created the store with a master key of its own, this key
   * is taken as the master key.
   *
   * @param store the store's name, for messages
   * @return the keys, which the caller closes
   * @throws WrongKeyException if the wrapped key is locked with another secret
   * @throws UncleanShutdownException if there is no wrapped key, and a passphrase cannot be a
   *     master key
   */
  public WrappedKey.Keys unlock(ClientVault vault, String store) throws IOException {
    Optional<WrappedKey> wrapped = WrappedKey.load(vault);
    if (wrapped.isEmpty()) {
      if (source == KeySource.PASSPHRASE) {
        throw WrappedKey.missing(vault, store);
      }
      return new WrappedKey.Keys(secret(null), null);
    }
    try (MasterKey secret = secretOf(wrapped.get(), store)) {
      return wrapped.get().unwrap(secret);
    }
  }
}
