package io.github.roram.engine;

import java.io.DataInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An engine that notes its actions in the client's journal, so that a crash loses nothing; for
 * schemes of any module. An access is made, then noted, then acknowledged.
 *
 * <p>With {@link io.github.roram.Durability#SYNC} the engine syncs the store before it notes an
 * access. With {@link io.github.roram.Durability#FLUSH} it need not: a power failure may then leave
 * notes of writes that the store has lost, which {@link #replayed} must find. Writes that survived
 * may be in the system's memory only, and after a failed sync may never leave it: the engine must
 * repeat them before it notes a sync.
 */
public interface Noting {

  /**
   * Writes notes there from now on, or nowhere if {@code notes} is null; the present state is
   * saved.
   */
  void startNotes(@Nullable EngineNotes notes);

  /**
   * Repeats the action of a note, while the store is opened after a crash.
   *
   * @return whether the action was an access
   * @throws io.github.roram.IntegrityException if the note does not fit those before
   */
  boolean replay(DataInput note) throws IOException;

  /** Called after the last note; may read the store, and must not change it. */
  void replayed() throws IOException;

  /** Called when all writes are durable; the engine may note this. */
  void stored() throws IOException;
}
