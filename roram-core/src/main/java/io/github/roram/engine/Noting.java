package io.github.roram.engine;

import java.io.DataInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An engine that notes in the client's journal what it does, so that a crash loses nothing: the
 * journal of a scheme of any module. An access is done, then noted, then acknowledged.
 *
 * <p>With {@link io.github.roram.Durability#SYNC} the engine syncs the store before it notes an
 * access. With {@link io.github.roram.Durability#FLUSH} it need not: a power failure may then leave
 * notes of what the store has lost, and {@link #replayed} is where to find out. What is there may
 * be there in the system's memory alone, and after a sync that failed will never leave it: it must
 * be written again before a sync is noted.
 */
public interface Noting {

  /** Notes there from now on, or nowhere; the state as it is now is saved. */
  void startNotes(@Nullable EngineNotes notes);

  /**
   * Does what a note says was done, while the store is opened after a crash.
   *
   * @return whether it was an access
   * @throws io.github.roram.IntegrityException if it does not fit what came before
   */
  boolean replay(DataInput note) throws IOException;

  /** After the last note; may read the store, and changes nothing there. */
  void replayed() throws IOException;

  /** All that was done is on the store for good, and may be noted to be. */
  void stored() throws IOException;
}
