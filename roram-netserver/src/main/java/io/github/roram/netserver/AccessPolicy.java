package io.github.roram.netserver;

/** Decides what a client may do with a volume. Thread safety: implementations are safe. */
@FunctionalInterface
public interface AccessPolicy {

  /** What a client asks to do with a volume. */
  enum Action {
    /** Create it. */
    CREATE,
    /** Check whether it exists, open, read and write it. */
    USE,
    /** Delete it. */
    DELETE
  }

  /** Returns whether the client may do that. The volume need not exist. */
  boolean allows(ClientIdentity client, String volume, Action action);

  /**
   * Returns the largest capacity with which the volume may be created, in bytes.
   *
   * @param otherwise the limit if the policy has none for the volume
   */
  default long maxVolumeBytes(String volume, long otherwise) {
    return otherwise;
  }

  /** Returns a policy that allows everyone everything. */
  static AccessPolicy everything() {
    return (client, volume, action) -> true;
  }
}
