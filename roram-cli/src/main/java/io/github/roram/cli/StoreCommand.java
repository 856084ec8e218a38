package io.github.roram.cli;

import io.github.roram.OpenOptions;
import io.github.roram.client.Roram;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that works on a store which exists. */
abstract class StoreCommand extends StoreTaker {

  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "The store, as in file:DIR (roram help store).")
  String storeUri;

  @Mixin KeyOptions keys;

  @Mixin OpeningOptions opening;

  StoreCommand() {
    super(StoreUse.OPEN);
  }

  /** Returns how to use the ORAM. */
  OpenOptions openOptions() throws IOException {
    return opening.guarded();
  }

  /** Where to write what observers see; null for nowhere. */
  @Nullable Path record() {
    return null;
  }

  /** Returns how to access the store. */
  final StoreOptions options() throws IOException {
    return store.options(storeUri, roram.environment());
  }

  /** Opens the store and the ORAM in it; the caller closes the session. */
  final StoreSession open() throws IOException {
    return StoreSession.open(store(), storeUri, record(), roram.environment());
  }

  /** Returns the store with its key and its options. */
  final Roram store() throws IOException {
    return Roram.at(storeUri)
        .store(options())
        .key(keys.key(storeUri, roram.environment()))
        .options(config -> openOptions());
  }

  /** Refuses bytes that the store does not have. */
  static void checkWithin(OpenData session, long offset, long bytes) {
    long storeBytes = session.config().bytes();
    if (offset > storeBytes || bytes > storeBytes - offset) {
      throw new UsageException(
          "bytes "
              + offset
              + " to "
              + BigInteger.valueOf(offset).add(BigInteger.valueOf(bytes))
              + " were asked for, but "
              + session.uri()
              + " ends at byte "
              + storeBytes);
    }
  }
}
