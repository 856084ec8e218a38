package io.github.roram.detwo;

import io.github.roram.detwo.Areas.Area;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes through every page that is or may be needed, in the order in which they lie: stripe by
 * stripe. Not thread safe.
 */
final class PageWalk {

  private final Areas areas;
  private final PageTable table;
  private long write;

  /** The next page of the stripe: its holding page, then its refreshes. */
  private boolean atHolding = true;

  private long refresh;

  PageWalk(Areas areas, PageTable table) {
    this.areas = areas;
    this.table = table;
    write = Math.min(table.firstHeld(), areas.writeOf(table.firstRefreshed()));
    refresh = areas.refreshes(write);
  }

  /** How many pages there are, those included that a load left out. */
  long pages() {
    return table.writes() - table.firstHeld() + table.refreshes() - table.firstRefreshed();
  }

  /** The next pages, at most so many; none at the end. */
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

  /** The next page of the ring; none where it is not needed, or never was. */
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
}
