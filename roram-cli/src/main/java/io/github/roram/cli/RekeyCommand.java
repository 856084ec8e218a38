package io.github.roram.cli;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.UncleanShutdownException;
import io.github.roram.VerifyReport;
import io.github.roram.WrongKeyException;
import io.github.roram.client.WrappedKey;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.Stores;
import java.io.IOException;
import picocli.CommandLine.Command;

/**
 * {@code roram rekey}: a new master key.
 *
 * <p>The new key is kept next to the old one, both wrapped, before anything is sealed under it, and
 * until all is: so the command can be run again after a crash at any moment.
 */
@Command(
    name = "rekey",
    header = "Replace the master key of a store and reseal all data.",
    description = {
      "",
      "For when others may know the old key, or have the client's records and what unlocks"
          + " them. The passphrase or key that unlocks the store stays the same; roram passwd"
          + " changes it. The store is verified first, because a damaged store could not be"
          + " resealed.",
      "",
      "If the command is interrupted, run it again: it continues where it stopped. Until it"
          + " completes, the store cannot be used.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram rekey file:/data/vault --key-file my.key"})
final class RekeyCommand extends StoreCommand {

  @Override
  public Integer call() throws IOException {
    try (OpenedStore opened = Stores.open(storeUri, options())) {
      WrappedKey wrapped = WrappedKey.of(opened.vault(), storeUri);
      try (MasterKey secret = keys.key(storeUri, roram.environment()).secretOf(wrapped, storeUri);
          WrappedKey.Keys held = wrapped.unwrap(secret);
          MasterKey next = held.next() == null ? MasterKey.generate() : held.next().duplicate()) {
        if (held.next() != null) {
          Orams.inspect(opened.store(), held.current(), next);
        }
        if (held.next() != null && !hasKey(opened, held.current())) {
          roram.note("Going on where a rekey of " + storeUri + " was broken off.");
        } else {
          if (!isSound(opened, held.current())) {
            return ExitCodes.DATA;
          }
          WrappedKey.Keys both = new WrappedKey.Keys(held.current(), next);
          wrapped.replaceKeys(both, secret).save(opened.vault());
        }
        if (!hasKey(opened, next)) {
          reseal(opened, held.current(), next);
        }
        wrapped.replaceKeys(new WrappedKey.Keys(next, null), secret).save(opened.vault());
      }
    }
    roram.note(storeUri + " has a new master key.");
    return ExitCodes.OK;
  }

  private boolean isSound(OpenedStore opened, MasterKey key) throws IOException {
    OramConfig config = Orams.inspect(opened.store()).config();
    if (!config.has(Scheme.Trait.REKEYABLE)) {
      throw new UsageException(
          "a store of scheme "
              + config.scheme()
              + " cannot be rekeyed; export the data and import it into a new store");
    }
    try (Oram oram = Orams.open(opened.store(), opened.vault(), key, openOptions())) {
      VerifyReport report = VerifyCommand.verify(oram, () -> {}, roram);
      if (!report.clean()) {
        VerifyCommand.print(report, roram.environment());
        roram.environment().tell("roram: " + storeUri + " is damaged; nothing was changed");
      }
      return report.clean();
    }
  }

  private void reseal(OpenedStore opened, MasterKey current, MasterKey next) throws IOException {
    long bytes = Orams.inspect(opened.store()).storeBytes();
    try (Progress progress = roram.progress("rekey", bytes)) {
      Orams.rekey(opened.store(), opened.vault(), current, next, openOptions(), progress::step);
    }
  }

  /** Returns whether the whole store is under a key, so that opening changes nothing. */
  private boolean hasKey(OpenedStore opened, MasterKey key) throws IOException {
    try {
      Orams.open(opened.store(), opened.vault(), key, openOptions()).close();
      return true;
    } catch (WrongKeyException | UncleanShutdownException e) {
      return false;
    }
  }
}
