package io.github.roram.detwo;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Finding;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.engine.OramContext;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/** Opens every page that is or may be needed. The places follow from the number of writes alone. */
final class PageAudit {

  private static final int BATCH_PAGES = 256;

  /** The main area is tree 0 of the findings, the holding area tree 1. */
  private static final int HOLDING_TREE = 1;

  private final OramContext context;
  private final Areas areas;
  private final PageTable table;
  private final VerifyProgress progress;
  private final PageCodec codec;
  private final List<Finding> findings = new ArrayList<>();
  private long findingCount;
  private long pages;
  private long done;

  PageAudit(OramContext context, Areas areas, PageTable table, VerifyProgress progress) {
    this.context = context;
    this.areas = areas;
    this.table = table;
    this.progress = progress;
    codec = DetWoOram.codec(context);
  }

  VerifyReport run() throws IOException {
    check(Area.MAIN, table.firstRefreshed(), table.refreshes());
    check(Area.HOLDING, table.firstHeld(), table.writes());
    return new VerifyReport(
        pages, pages * areas.pageBytes(), table.blocksHeld(), findingCount, findings);
  }

  private void check(Area area, long first, long end) throws IOException {
    for (long number = first; number < end; number += BATCH_PAGES) {
      checkBatch(area, number, Math.min(end, number + BATCH_PAGES));
    }
  }

  private void checkBatch(Area area, long first, long end) throws IOException {
    List<Page> batch = new ArrayList<>();
    PageRequest request = new PageRequest(context.store(), areas).reset(IoPhase.META);
    for (long number = first; number < end; number++) {
      Page page = table.name(area, number, new Page());
      if (page.exists()) {
        batch.add(page);
        request.add(page);
      }
    }
    if (!batch.isEmpty()) {
      read(area, batch, request);
      pages += batch.size();
    }
    done += end - first;
    progress.advancedTo(Math.min(done, total()) * areas.pageBytes(), total() * areas.pageBytes());
  }

  private long total() {
    return table.refreshes() - table.firstRefreshed() + table.writes() - table.firstHeld();
  }

  private void read(Area area, List<Page> batch, PageRequest request) throws IOException {
    byte[] sealed = new byte[areas.pageBytes()];
    byte[] block = new byte[context.config().blockBytes()];
    try {
      context
          .store()
          .read(
              request.batch(),
              (firstUnit, units) -> {
                for (int unit = firstUnit; units.hasRemaining(); unit++) {
                  units.get(sealed);
                  Page page = batch.get(unit);
                  if (!codec.opens(sealed, page, block)) {
                    find(Kind.BUCKET, area, page + " is not the one that was written there");
                  }
                }
              });
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      find(Kind.UNREADABLE, area, batch.get(0) + " and those after it: " + e.getMessage());
    }
  }

  private void find(Kind kind, Area area, String message) {
    findingCount++;
    if (findings.size() < VerifyReport.MAX_FINDINGS) {
      findings.add(new Finding(kind, area == Area.HOLDING ? HOLDING_TREE : 0, message));
    }
  }
}
