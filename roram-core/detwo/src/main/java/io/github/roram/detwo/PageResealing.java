package io.github.roram.detwo;

import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Resealing;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.List;

/** Reseals every page that is or may be needed, under its own number. */
final class PageResealing implements Resealing {

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
