package io.github.roram.client;

import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * Where backups are kept: files that are there as a whole or not at all, in two folders. {@value
 * #PIECES} has {@linkplain BackupPieces pieces} of the store. {@value #POINTS} has what else a
 * point consists of, in a folder of its own, which becomes a point by one step. A directory and an
 * engine of objects lay them out each in its own way.
 *
 * <p>One client takes points at a time, as only one has the store open; others may read.
 */
interface BackupPlace extends Closeable {

  /** Folder of pieces. */
  String PIECES = "pieces/";

  /** Folder of points. */
  String POINTS = "points/";

  /** Most bytes of units that a piece is to have. */
  long pieceBytes();

  /**
   * Makes ready for a point to be taken, by this client alone until what is returned is closed.
   *
   * @param roomBytes what a place of limited room is to have, if it is made now
   * @throws io.github.roram.ConfigurationException if there is something else
   * @throws io.github.roram.store.StoreLockedException if another client is at work there
   */
  Closeable begin(long roomBytes) throws IOException;

  /** Returns the names of the pieces that are there. */
  Set<String> pieces() throws IOException;

  /** Numbers of the points that are there. */
  Set<Integer> points() throws IOException;

  /** Returns a new folder, for what a point consists of. */
  String newPoint() throws IOException;

  /** Makes a folder the point of a number, which none has. */
  void publish(String folder, int number) throws IOException;

  /** Returns the folder of a point. */
  String folder(int number) throws IOException;

  /**
   * Opens a file.
   *
   * @param name with its folder
   * @throws java.nio.file.NoSuchFileException naming it, if there is none
   */
  InputStream read(String name) throws IOException;

  /** Writes a file, durably; pieces of one name have the same content. */
  void write(String name, ClientVault.Writer writer) throws IOException;

  /** Deletes a point, or nothing if there is none. */
  void deletePoint(int number) throws IOException;

  /** Deletes all pieces but these, and what broken-off attempts left. */
  void deleteAllBut(Set<String> pieces) throws IOException;

  /** Returns a file, for messages. */
  String place(String name);
}
