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

  PageAudit(OramContext context, Areas areas, PageTable table, VerifyProgress progress) {
    this.context = context;
    this.areas = areas;
    this.table = table;
    this.progress = progress;
    codec = DetWoOram.codec(context);
  }

  VerifyReport run() throws IOException {
    PageWalk walk = new PageWalk(areas, table);
    long total = walk.pages() * areas.pageBytes();
    for (List<Page> batch = walk.next(BATCH_PAGES);
        !batch.isEmpty();
        batch = walk.next(BATCH_PAGES)) {
      check(batch);
      pages += batch.size();
      progress.advancedTo(Math.min(pages * areas.pageBytes(), total), total);
    }
    progress.advancedTo(total, total);
    return new VerifyReport(
        pages, pages * areas.pageBytes(), table.blocksHeld(), findingCount, findings);
  }

  private void check(List<Page> batch) throws IOException {
    PageRequest request = new PageRequest(context.store(), areas).reset(IoPhase.META);
    batch.forEach(request::add);
    byte[] sealed = new byte[areas.pageBytes()];
    byte[] block = new byte[context.config().blockBytes()];
    try {
      request.read(
          (number, bytes) -> {
            bytes.get(sealed);
            Page page = batch.get(number);
            if (!codec.opens(sealed, page, block)) {
              find(Kind.BUCKET, page, page + " is not the one that was written there");
            }
          });
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      Page first = batch.get(0);
      find(Kind.UNREADABLE, first, first + " and those after it: " + e.getMessage());
    }
  }

  private void find(Kind kind, Page page, String message) {
    findingCount++;
    if (findings.size() < VerifyReport.MAX_FINDINGS) {
      int tree = page.area() == Area.HOLDING ? HOLDING_TREE : 0;
      findings.add(new Finding(kind, tree, message));
    }
  }
}
