package io.github.roram.netserver;

/** Decides what a client may do with a volume. Thread safety: implementations are safe. */
@FunctionalInterface
public interface AccessPolicy {

  /** What a client wants of a volume. */
  enum Action {
    /** Create it. */
    CREATE,
    /** Look whether it is there, open, read and write it. */
    USE,
    /** Delete it. */
    DELETE
  }

  /** Whether the client may do that. The volume need not exist. */
  boolean allows(ClientIdentity client, String volume, Action action);

  /**
   * The largest capacity that the volume may be created with, in bytes.
   *
   * @param otherwise what counts where nothing is said of the volume
   */
  default long maxVolumeBytes(String volume, long otherwise) {
    return otherwise;
  }

  /** Everyone may do everything. */
  static AccessPolicy everything() {
    return (client, volume, action) -> true;
  }
}
