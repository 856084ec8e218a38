package io.github.roram.object;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * An engine that keeps objects: bytes under names, each written as a whole and never changed. It is
 * untrusted: all that it gets is sealed by the client.
 *
 * <p>Names are parts of lower-case letters, digits and hyphens, separated by slashes, of {@value
 * #NAME_CHARS} characters at most; no name is another's directory. They are used once: after a
 * delete, too, a name comes back with no other content.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>What {@link #put} or {@link #createOnce} returned after is durable, as far as {@link
 *       ObjectTraits#survivesPowerFailure} says, and shows in {@link #read} and {@link #list} of
 *       every client at once; so does what {@link #delete} returned after.
 *   <li>An object is there as a whole or not at all, whatever happens while it is written.
 *   <li>A call that throws an {@link IOException} may have been done, may not, or may be done
 *       later; every call may be repeated with the same arguments. An engine repeats by itself what
 *       is known to pass, such as throttling.
 *   <li>No clock and no lease: safety rests on {@link #createOnce} alone, which {@link
 *       ObjectSelfTest} tries. An implementation never repeats the engine's own conditional request
 *       blindly. It resolves an unknown outcome by reading back.
 *   <li>An interrupt of the calling thread breaks no call off, and is kept.
 *   <li>{@link #close} is idempotent; every other call after it throws {@link
 *       java.nio.channels.ClosedChannelException}.
 * </ul>
 *
 * <p>Thread safety: implementations are safe for use by several threads, and calls run at the same
 * time.
 */
public interface ObjectSpace extends Closeable {

  /** Most bytes of an object. */
  int OBJECT_BYTES = 1 << 25;

  /** Most bytes of an object that is created once. */
  int CREATE_BYTES = 1 << 20;

  /** Most characters of a name. */
  int NAME_CHARS = 200;

  /**
   * Writes an object. Each name has one content ever, so that this may be repeated at will.
   *
   * @param name a name that had no other content before
   * @param bytes all that remain, {@value #OBJECT_BYTES} at most; its position does not change
   * @throws IllegalArgumentException if the name cannot be, or the bytes are too many
   */
  void put(String name, ByteBuffer bytes) throws IOException;

  /**
   * Writes an object unless there is one of that name. Of all contents that were ever offered for a
   * name exactly one gets true, and it gets true again whenever it is offered again. So whoever
   * does not know how a call ended makes it again. Contents must differ from those of others: have
   * random bytes in them.
   *
   * @param bytes all that remain, {@value #CREATE_BYTES} at most; its position does not change
   * @return true if the object is these bytes, false if it is others
   * @throws IllegalArgumentException if the name cannot be, or the bytes are too many
   */
  boolean createOnce(String name, ByteBuffer bytes) throws IOException;

  /**
   * Reads a part of an object: as many bytes as there is room for in {@code to}, or until the
   * object ends.
   *
   * @param offset of the first byte to read, not negative; nothing is read where it is not within
   *     the object
   * @param to advanced by what was read; if this throws, its position is as it was
   * @return how many bytes were read, from 0
   * @throws NoSuchObjectException if there is none of that name
   */
  int read(String name, long offset, ByteBuffer to) throws IOException;

  /**
   * Names of objects, in the order of their characters.
   *
   * @param prefix what they begin with, at any character; empty for all
   * @param after the names that come behind this one; empty for all
   * @return the first of them, one at least if there are any; an engine that has more to say than
   *     fits into an answer leaves the rest for a call behind the last of these
   */
  List<String> list(String prefix, String after) throws IOException;

  /** Deletes objects, any number; nothing for those that are not there. */
  void delete(Collection<String> names) throws IOException;

  /** What is good to know of the engine. Asks nobody. */
  ObjectTraits traits();

  /** Whether a place of this machine is within the objects, so that their observer sees it. */
  default boolean isBeside(Path place) {
    return false;
  }

  @Override
  void close() throws IOException;

  /**
   * All names with a prefix behind one, in order, however many answers they take.
   *
   * @throws IOException also if an answer ends with a name that is not behind the one asked for
   */
  default void forEach(String prefix, String after, Consumer<String> names) throws IOException {
    forEachAnswer(prefix, after, page -> page.forEach(names));
  }

  /** As above, as many at a time as an answer has; only those in order are handed on. */
  default void forEachAnswer(String prefix, String after, NamesTaker taker) throws IOException {
    String last = after;
    List<String> page = list(prefix, last);
    while (!page.isEmpty()) {
      last = Names.last(page, last);
      taker.take(page);
      page = list(prefix, last);
    }
  }

  /** Takes the names of an answer. */
  @FunctionalInterface
  interface NamesTaker {
    void take(List<String> names) throws IOException;
  }

  /**
   * Deletes all objects whose names begin with a prefix.
   *
   * @throws IOException also as {@link #forEach} does
   */
  default void deleteAll(String prefix) throws IOException {
    deleteAll(prefix, name -> true);
  }

  /** As above, of those names the ones that are asked for; no more are held than an answer has. */
  default void deleteAll(String prefix, Predicate<String> which) throws IOException {
    forEachAnswer(
        prefix,
        "",
        page -> {
          List<String> deleted = page.stream().filter(which).toList();
          if (!deleted.isEmpty()) {
            delete(deleted);
          }
        });
  }

  /**
   * The whole of an object that has no more than {@code mostBytes}, and the first so many bytes of
   * one that has more.
   *
   * @throws NoSuchObjectException if there is none of that name
   */
  default byte[] readWhole(String name, int mostBytes) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(mostBytes);
    read(name, 0, to);
    return Arrays.copyOf(to.array(), to.position());
  }

  /**
   * Refuses what cannot be a name.
   *
   * @return the name
   * @throws IllegalArgumentException naming it
   */
  static String checkName(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "object name is \""
              + name
              + "\", must be parts of the letters a to z, digits and hyphens, separated by slashes,"
              + " of "
              + NAME_CHARS
              + " characters at most");
    }
    return name;
  }

  /**
   * Refuses what is too long for one object.
   *
   * @param most {@link #OBJECT_BYTES} or {@link #CREATE_BYTES}
   * @throws IllegalArgumentException naming the number of bytes
   */
  static void checkBytes(String name, ByteBuffer bytes, int most) {
    checkName(name);
    if (bytes.remaining() > most) {
      throw new IllegalArgumentException(
          "object "
              + name
              + " has "
              + bytes.remaining()
              + " bytes, at most "
              + most
              + " can be written at a time: write it in pieces");
    }
  }

  /** Whether an object can have such a name. */
  static boolean isName(String name) {
    return name.length() <= NAME_CHARS && Names.FORM.matcher(name).matches();
  }

  /** The form of names, compiled once, and whether an answer goes on with them. */
  final class Names {
    private static final Pattern FORM = Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)*");

    private Names() {}

    /** The last name of an answer; one that goes back would be asked for without end. */
    static String last(List<String> page, String after) throws IOException {
      String last = after;
      for (String name : page) {
        if (name.compareTo(last) <= 0) {
          throw new IOException(
              "the engine was asked for names of objects behind \""
                  + after
                  + "\", and its answer does not go beyond it, or is in no order: it is damaged, or"
                  + " use another");
        }
        last = name;
      }
      return last;
    }
  }
}
