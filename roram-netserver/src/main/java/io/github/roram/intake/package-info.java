/**
 * What servers need to take requests from clients that are slow, greedy or hostile. A {@link
 * io.github.roram.intake.Listener} admits connections, fairly by address; a {@link
 * io.github.roram.intake.ClientConnection} ends who keeps it waiting; a {@link
 * io.github.roram.intake.RequestPhase} takes requests apart and holds no more of them than there is
 * room for. What a protocol adds is its head, and what is done.
 */
@NullMarked
package io.github.roram.intake;

import org.jspecify.annotations.NullMarked;
