package io.github.roram.detwo;

import io.github.roram.cipher.BucketKeys;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Resealing;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reseals every page that is or may be needed, under its own number. */
final class PageResealing implements Resealing {

  private static final int BATCH_PAGES = 256;

  private final OramContext context;
  private final Areas areas;
  private final PageTable table;
  private final PageCodec opening;
  private final PageCodec sealing;
  private final int epoch;
  private final byte[] sealed;
  private final List<Page> pages = new ArrayList<>();
  private final PageRequest request;
  private Area area = Area.MAIN;
  private long next;
  private long end;

  PageResealing(OramContext context, Areas areas, PageTable table, BucketKeys newKeys) {
    this.context = context;
    this.areas = areas;
    this.table = table;
    DetWoParameters parameters = (DetWoParameters) context.config().parameters();
    int blockBytes = context.config().blockBytes();
    opening = DetWoOram.codec(context);
    sealing = new PageCodec(newKeys, context.storeId(), parameters.cipher(), blockBytes);
    epoch = newKeys.epoch();
    sealed = new byte[BATCH_PAGES * areas.pageBytes()];
    request = new PageRequest(context.store(), areas);
    next = table.firstRefreshed();
    end = table.refreshes();
  }

  @Override
  public boolean next() {
    pages.clear();
    request.reset(IoPhase.META);
    while (pages.isEmpty()) {
      if (next >= end) {
        if (area == Area.HOLDING) {
          return false;
        }
        area = Area.HOLDING;
        next = table.firstHeld();
        end = table.writes();
      }
      for (; next < end && pages.size() < BATCH_PAGES; next++) {
        Page page = table.name(area, next, new Page());
        if (page.exists()) {
          pages.add(page);
          request.add(page);
        }
      }
    }
    return true;
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
    context
        .store()
        .read(
            request.batch(),
            (firstUnit, units) -> {
              for (int unit = firstUnit; units.hasRemaining(); unit++) {
                units.get(page);
                Page name = pages.get(unit);
                opening.open(page, name, block);
                sealing.seal(block, name.set(area, name.number(), epoch), page);
                System.arraycopy(page, 0, sealed, unit * pageBytes, pageBytes);
              }
            });
  }

  @Override
  public void write() throws IOException {
    int pageBytes = areas.pageBytes();
    context
        .store()
        .write(
            request.batch(),
            (firstUnit, units) -> units.put(sealed, firstUnit * pageBytes, units.remaining()));
    context.store().sync();
  }
}
