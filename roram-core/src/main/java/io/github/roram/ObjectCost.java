package io.github.roram;

/**
 * What an access asks an engine of objects for on average, its share of the evictions included: of
 * a store that was written all over, under random accesses. Engines do not charge for deletes; the
 * slots of a vault that is in an engine come on top, see {@code docs/objects.md}.
 *
 * @param gets objects, or ranges of them, that are read
 * @param puts objects that are written
 */
public record ObjectCost(double gets, double puts) {

  /** Nothing. */
  public static final ObjectCost NONE = new ObjectCost(0, 0);

  /** The sum. */
  public ObjectCost plus(ObjectCost other) {
    return new ObjectCost(gets + other.gets, puts + other.puts);
  }

  /** So many times this. */
  public ObjectCost times(double factor) {
    return new ObjectCost(factor * gets, factor * puts);
  }
}
