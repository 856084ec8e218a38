package io.github.roram.detwo;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Finding;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Resealing;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/**
 * A walk over every page that is or may be needed, in the order of the ring, stripe by stripe. Not
 * thread safe.
 */
final class PageWalk {

  private final Areas areas;
  private final PageTable table;
  private long write;

  /** Whether the next page is the stripe's holding page, which its refreshes follow. */
  private boolean atHolding = true;

  private long refresh;

  PageWalk(Areas areas, PageTable table) {
    this.areas = areas;
    this.table = table;
    write = Math.min(table.firstHeld(), areas.writeOf(table.firstRefreshed()));
    refresh = areas.refreshes(write);
  }

  /** Returns how many pages there are, those included that a load left out. */
  long pages() {
    return table.writes() - table.firstHeld() + table.refreshes() - table.firstRefreshed();
  }

  /** Returns the next pages, at most this many; none at the end. */
  List<Page> next(int most) {
    List<Page> pages = new ArrayList<>();
    while (pages.size() < most && write < table.writes()) {
      Page page = step();
      if (page.exists()) {
        pages.add(page);
      }
    }
    return pages;
  }

  /** Returns the next page of the ring; none where it is not needed, or never was. */
  private Page step() {
    Page page = new Page();
    if (atHolding) {
      atHolding = false;
      if (write >= table.firstHeld()) {
        table.name(Area.HOLDING, write, page);
      }
    } else if (refresh < areas.refreshes(write + 1)) {
      if (refresh >= table.firstRefreshed() && refresh < table.refreshes()) {
        table.name(Area.MAIN, refresh, page);
      }
      refresh++;
    } else {
      write++;
      atHolding = true;
    }
    return page;
  }

  /** Opens every page that is or may be needed. Places follow from the number of writes alone. */
  static final class PageAudit {

    private static final int BATCH_PAGES = 256;

    /** Number of the holding area in findings, as a tree; the main area is tree 0. */
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

  /** Reseals every page that is or may be needed, under its own number. */
  static final class PageResealing implements Resealing {

    private static final int BATCH_PAGES = 256;

    private final OramContext context;
    private final Areas areas;
    private final PageWalk walk;
    private final PageCodec opening;
    private final PageCodec sealing;
    private final int epoch;
    private final byte[] sealed;
    private List<Page> pages = List.of();

    PageResealing(OramContext context, Areas areas, PageTable table, BucketKeys newKeys) {
      this.context = context;
      this.areas = areas;
      walk = new PageWalk(areas, table);
      DetWoParameters parameters = (DetWoParameters) context.config().parameters();
      int blockBytes = context.config().blockBytes();
      opening = DetWoOram.codec(context);
      sealing = new PageCodec(newKeys, context.storeId(), parameters.cipher(), blockBytes);
      epoch = newKeys.epoch();
      sealed = new byte[BATCH_PAGES * areas.pageBytes()];
    }

    @Override
    public boolean next() {
      pages = walk.next(BATCH_PAGES);
      return !pages.isEmpty();
    }

    @Override
    public int bytes() {
      return pages.size() * areas.pageBytes();
    }

    @Override
    public byte[] sealed() {
      return sealed;
    }

    @Override
    public void translate() throws IOException {
      int pageBytes = areas.pageBytes();
      byte[] page = new byte[pageBytes];
      byte[] block = new byte[context.config().blockBytes()];
      PageRequest request = new PageRequest(context.store(), areas).reset(IoPhase.META);
      pages.forEach(request::add);
      request.read(
          (number, bytes) -> {
            bytes.get(page);
            Page name = pages.get(number);
            opening.open(page, name, block);
            Page target = name.set(name.area(), name.number(), epoch);
            sealing.seal(block, 0, target, Nonces.fresh(), 0, page);
            System.arraycopy(page, 0, sealed, number * pageBytes, pageBytes);
          });
    }

    @Override
    public void write() throws IOException {
      int pageBytes = areas.pageBytes();
      PageRequest request = new PageRequest(context.store(), areas).reset(IoPhase.META);
      pages.forEach(request::addAlone);
      request.write(
          (firstUnit, units) -> units.put(sealed, firstUnit * pageBytes, units.remaining()));
      context.store().sync();
    }
  }
}
