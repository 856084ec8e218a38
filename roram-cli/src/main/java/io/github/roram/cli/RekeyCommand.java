package io.github.roram.cli;

import io.github.roram.Orams;
import io.github.roram.Scheme;
import io.github.roram.UncleanShutdownException;
import io.github.roram.VerifyReport;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.WrappedKey;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.Stores;
import java.io.IOException;
import picocli.CommandLine.Command;

/**
 * {@code roram rekey}: a new master key.
 *
 * <p>The new key is kept beside the old one, both wrapped, before anything is sealed under it, and
 * until all is: so the command can be run again after a crash at any moment.
 */
@Command(
    name = "rekey",
    mixinStandardHelpOptions = true,
    header = "Give a store a new master key and reseal all that it holds.",
    description = {
      "",
      "For when the old key, or the client's records together with what unlocks them, may be known"
          + " to others. The passphrase or key that unlocks the store stays: roram passwd changes"
          + " it. The store is verified first, since a damaged one could not be resealed.",
      "",
      "If the command is broken off, run it again: it goes on where it was. Until then the store"
          + " cannot be used.",
      "",
      KeyOptions.HELP,
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram rekey file:/data/vault --key-file my.key"})
final class RekeyCommand extends StoreCommand {

  @Override
  public Integer call() throws IOException {
    if (!isUnderWay()) {
      try (StoreSession session = open()) {
        if (session.oram().config().scheme() == Scheme.PATH) {
          throw new UsageException(
              "scheme path overwrites in place and cannot be rekeyed; export the data and import it"
                  + " into a new store");
        }
        VerifyReport report = VerifyCommand.verify(session, roram);
        if (!report.clean()) {
          VerifyCommand.print(report, roram.environment().out());
          roram
              .environment()
              .err()
              .println("roram: " + storeUri + " is damaged; nothing was changed");
          return ExitCodes.DATA;
        }
      }
    } else {
      roram.note("Going on where a rekey of " + storeUri + " was broken off.");
    }
    try (OpenedStore opened = Stores.open(storeUri, options())) {
      rekey(opened);
    }
    roram.note(storeUri + " has a new master key.");
    return ExitCodes.OK;
  }

  private boolean isUnderWay() throws IOException {
    try (OpenedStore opened = Stores.open(storeUri, options())) {
      return KeyChoice.wrappedKey(opened.vault(), storeUri).holdsNext();
    }
  }

  private void rekey(OpenedStore opened) throws IOException {
    WrappedKey wrapped = KeyChoice.wrappedKey(opened.vault(), storeUri);
    try (MasterKey secret = keys.choice().unlockingSecret(wrapped, storeUri, roram.environment());
        WrappedKey.Keys held = wrapped.unwrap(secret);
        MasterKey next = held.next() != null ? held.next().duplicate() : MasterKey.generate()) {
      if (held.next() == null) {
        wrapped.replaceKeys(new WrappedKey.Keys(held.current(), next), secret).save(opened.vault());
      }
      if (!hasKey(opened, next)) {
        long bytes = Orams.inspect(opened.store()).storeBytes();
        try (Progress progress =
            Progress.start("rekey", Progress.BYTES, bytes, roram.environment(), roram.quiet())) {
          Orams.rekey(opened.store(), opened.vault(), held.current(), next, progress::step);
        }
      }
      wrapped.replaceKeys(new WrappedKey.Keys(next, null), secret).save(opened.vault());
    }
  }

  /** Whether the store is wholly under a key: opening changes nothing. */
  private static boolean hasKey(OpenedStore opened, MasterKey key) throws IOException {
    try {
      Orams.open(opened.store(), opened.vault(), key).close();
      return true;
    } catch (WrongKeyException | UncleanShutdownException e) {
      return false;
    }
  }
}
