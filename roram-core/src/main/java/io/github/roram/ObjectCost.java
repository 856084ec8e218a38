package io.github.roram;

/**
 * The average number of requests to an object store for one access, including its share of the
 * evictions. The averages hold for random accesses to a store whose every block has been written.
 * Deletes are not counted, since object stores do not charge for them. The slots of a vault in the
 * object store come on top; see {@code docs/objects.md}.
 *
 * @param gets reads of objects, or of ranges of objects
 * @param puts writes of objects
 */
public record ObjectCost(double gets, double puts) {

  /** A cost of zero. */
  public static final ObjectCost NONE = new ObjectCost(0, 0);

  /** Returns the sum of this cost and another. */
  public ObjectCost plus(ObjectCost other) {
    return new ObjectCost(gets + other.gets, puts + other.puts);
  }

  /** Returns this cost multiplied by a factor. */
  public ObjectCost times(double factor) {
    return new ObjectCost(factor * gets, factor * puts);
  }
}
