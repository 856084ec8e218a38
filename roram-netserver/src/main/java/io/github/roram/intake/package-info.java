/**
 * Intake of requests from clients that may be slow, greedy or hostile. A {@link
 * io.github.roram.intake.Listener} admits connections, fairly by address; a {@link
 * io.github.roram.intake.ClientConnection} disconnects a client that keeps it waiting; a {@link
 * io.github.roram.intake.RequestPhase} parses requests and holds no more of them than there is room
 * for. A protocol adds its header, and the actions.
 */
@NullMarked
package io.github.roram.intake;

import org.jspecify.annotations.NullMarked;
