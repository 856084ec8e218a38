package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Two sides ask the place of a backup for the same, in the same order: names, lengths, and after
 * which access.
 */
final class BackupRequests extends PairCheck {

  private long requests;
  private int runs;
  private @Nullable String difference;

  BackupRequests() {
    super(Observer.BACKUP, "requests of backups");
  }

  @Override
  void add(Seen sideA, Seen sideB) {
    runs++;
    List<Sight> a = sideA.of(Observer.BACKUP);
    List<Sight> b = sideB.of(Observer.BACKUP);
    requests += a.size();
    int unlike = VaultShapes.firstUnlike(a, b, Sight::equals);
    if (unlike >= 0 && difference == null) {
      difference =
          String.format(
              Locale.ROOT,
              "run %d, request %d: one side %s, the other %s",
              runs,
              unlike + 1,
              describe(a, unlike),
              describe(b, unlike));
    }
  }

  private static String describe(List<Sight> requests, int index) {
    return VaultShapes.describe(requests, index)
        + (index < requests.size() ? " '" + requests.get(index).name() + "'" : "");
  }

  @Override
  CheckOutcome outcome() {
    if (difference != null) {
      return CheckOutcome.apart(difference);
    }
    return requests == 0
        ? CheckOutcome.notApplicable("no backup was taken")
        : CheckOutcome.alike(requests + " requests of " + runs + " runs are the same");
  }
}
