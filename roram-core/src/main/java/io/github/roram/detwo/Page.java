package io.github.roram.detwo;

import io.github.roram.detwo.Areas.Area;

/** The unique name of a page: its area, the number of the write or refresh, and the key epoch. */
final class Page {

  private Area area = Area.NONE;
  private long number;
  private int epoch;

  /** Names a page. */
  Page set(Area newArea, long newNumber, int newEpoch) {
    area = newArea;
    number = newNumber;
    epoch = newEpoch;
    return this;
  }

  /** Names no page. */
  Page setNone() {
    return set(Area.NONE, 0, 0);
  }

  /** Returns whether there is one. */
  boolean exists() {
    return area != Area.NONE;
  }

  Area area() {
    return area;
  }

  long number() {
    return number;
  }

  int epoch() {
    return epoch;
  }

  /** Returns whether it is the same page. */
  boolean isSame(Page other) {
    return area == other.area && number == other.number && epoch == other.epoch;
  }

  @Override
  public String toString() {
    return (area == Area.MAIN ? "main page of refresh " : "holding page of write ") + number;
  }
}
