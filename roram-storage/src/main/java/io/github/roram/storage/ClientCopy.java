package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which of the client's records the store also keeps a copy of, so that the loss of a machine with
 * its state directory does not lose the data.
 */
public enum ClientCopy {
  /** Nothing: without the state directory everything is lost. */
  NONE(0),
  /**
   * What opens buckets: the wrapped master key and the salts of its epochs, saved once per opening.
   * With them {@code roram salvage} recovers what evictions wrote.
   */
  KEYS(1),
  /**
   * All records and the journal, each as soon as the client's own: nothing acknowledged is lost.
   * Each write and sync of the journal is also one at the store.
   */
  ALL(2);

  /** Name of the record that says what is kept, in the vault and in the copy. */
  private static final String RECORD = "copy";

  private static final Set<String> KEY_RECORDS = Set.of("key", "epoch", RECORD);

  private final int number;

  ClientCopy(int number) {
    this.number = number;
  }

  /** The option with which a kind of store declares it. */
  public static final StoreOption<String> OPTION =
      StoreOption.text(
              "client-copy",
              "WHAT",
              "What of the client's records is also kept with the store, sealed: none, keys (to"
                  + " salvage a store whose client is lost) or all (to restore it). Remembered.")
          .byDefault("as the store has it; none of a new one");

  /**
   * Returns the value that a word stands for.
   *
   * @throws ConfigurationException if it is none of the three words
   */
  public static ClientCopy of(String word) {
    for (ClientCopy copy : values()) {
      if (copy.word().equals(word)) {
        return copy;
      }
    }
    throw new ConfigurationException(OPTION + " is \"" + word + "\", must be none, keys or all");
  }

  /** Returns the word for it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns what a vault says is copied of it, or what a copy says that it has. */
  public static ClientCopy in(ClientVault vault) throws IOException {
    Optional<InputStream> record = vault.load(RECORD);
    if (record.isEmpty()) {
      return NONE;
    }
    try (InputStream in = record.get()) {
      int number = in.read();
      return Arrays.stream(values()).filter(copy -> copy.number == number).findFirst().orElse(NONE);
    }
  }

  /** Records this in a vault. */
  void saveTo(ClientVault vault) throws IOException {
    vault.save(RECORD, out -> out.write(number));
  }

  /** Returns whether a record is a lease of a volume, which is useless to another process. */
  public static boolean isLease(String record) {
    return record.startsWith("lease");
  }

  /** Returns whether a record is the one that says what is kept. */
  static boolean isOwn(String record) {
    return record.equals(RECORD);
  }

  /** Returns whether the copy has a record; only {@link #ALL} has logs. */
  boolean has(String record) {
    return switch (this) {
      case NONE -> false;
      case KEYS -> KEY_RECORDS.contains(record);
      case ALL -> !isLease(record);
    };
  }
}
