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
 * What of the client's half of a store is also kept where the store is, so that a machine that is
 * lost with its state directory is not the end of the data.
 */
public enum ClientCopy {
  /** Nothing: without the state directory everything is lost. */
  NONE(0),
  /**
   * What opens buckets: the locked master key and the salts of its epochs, which are saved once an
   * opening. With them {@code roram salvage} brings back what evictions wrote.
   */
  KEYS(1),
  /**
   * All records and the journal, each as soon as the client's own: nothing that was acknowledged is
   * lost. Each write and sync of the journal is also one at the store.
   */
  ALL(2);

  /** Name of the record that says what is kept, here and in the copy. */
  private static final String RECORD = "copy";

  private static final Set<String> KEY_RECORDS = Set.of("key", "epoch", RECORD);

  private final int number;

  ClientCopy(int number) {
    this.number = number;
  }

  /** How a kind of stores declares it. */
  public static final StoreOption<String> OPTION =
      StoreOption.text(
              "client-copy",
              "WHAT",
              "What of the client's records is also kept with the store, sealed: none, keys (to"
                  + " salvage a store whose client is lost) or all (to restore it). Remembered.")
          .byDefault("as the store has it; none of a new one");

  /**
   * What a word means.
   *
   * @throws ConfigurationException if it is none of the three
   */
  public static ClientCopy of(String word) {
    for (ClientCopy copy : values()) {
      if (copy.word().equals(word)) {
        return copy;
      }
    }
    throw new ConfigurationException(OPTION + " is \"" + word + "\", must be none, keys or all");
  }

  /** How it is written. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a vault says is kept of it, or what a copy says that it is. */
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

  /** Has a vault say so. */
  void saveTo(ClientVault vault) throws IOException {
    vault.save(RECORD, out -> out.write(number));
  }

  /** Whether a record is a lease of a volume, which is of no use to another process. */
  static boolean isLease(String record) {
    return record.startsWith("lease");
  }

  /** Whether a record is the one that says what is kept. */
  static boolean isOwn(String record) {
    return record.equals(RECORD);
  }

  /** Whether it has a record; logs are in {@link #ALL} alone. */
  boolean has(String record) {
    return switch (this) {
      case NONE -> false;
      case KEYS -> KEY_RECORDS.contains(record);
      case ALL -> !isLease(record);
    };
  }
}
