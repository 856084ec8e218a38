package io.github.roram.object;

import io.github.roram.store.PrintableText;
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
 * untrusted: the client seals everything that it stores.
 *
 * <p>Names are parts of lower-case letters, digits and hyphens, separated by slashes, of {@value
 * #NAME_CHARS} characters at most; no name is another's directory. They are used once: even after a
 * delete, a name is never used for other content.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>When {@link #put} or {@link #createOnce} returns, the object is durable, as far as {@link
 *       ObjectTraits#survivesPowerFailure} says, and {@link #read} and {@link #list} of every
 *       client show it at once. The same holds for a {@link #delete} that returned.
 *   <li>An object exists as a whole or not at all, whatever happens while it is written.
 *   <li>A call that throws an {@link IOException} may have taken effect, may take effect later, or
 *       never; every call may be repeated with the same arguments. An engine itself retries
 *       failures that are known to be transient, such as throttling.
 *   <li>There is no clock and no lease: safety rests on {@link #createOnce} alone, which {@link
 *       ObjectSelfTest} tests. An implementation never repeats the engine's own conditional request
 *       blindly. It resolves an unknown outcome by reading back.
 *   <li>An interrupt of the calling thread aborts no call, and stays set.
 *   <li>{@link #close} is idempotent; every other call after it throws {@link
 *       java.nio.channels.ClosedChannelException}.
 * </ul>
 *
 * <p>Thread safety: implementations are safe for use by several threads, and calls run
 * concurrently.
 */
public interface ObjectSpace extends Closeable {

  /** The most bytes of an object. */
  int OBJECT_BYTES = 1 << 25;

  /** The most bytes of an object that is created once. */
  int CREATE_BYTES = 1 << 20;

  /** The most characters of a name. */
  int NAME_CHARS = 200;

  /**
   * Writes an object. Each name only ever has one content, so this may be repeated at will.
   *
   * @param name a name that never had other content
   * @param bytes its remaining bytes, {@value #OBJECT_BYTES} at most; the position does not change
   * @throws IllegalArgumentException if the name is invalid, or there are too many bytes
   */
  void put(String name, ByteBuffer bytes) throws IOException;

  /**
   * Writes an object unless the name exists already. Of all contents ever offered for a name,
   * exactly one gets true, and it gets true again whenever it is offered again. So a client that
   * does not know how a call ended repeats it. Contents must differ from those of other clients:
   * include random bytes.
   *
   * @param bytes its remaining bytes, {@value #CREATE_BYTES} at most; the position does not change
   * @return true if the object has these bytes, false if it has others
   * @throws IllegalArgumentException if the name is invalid, or there are too many bytes
   */
  boolean createOnce(String name, ByteBuffer bytes) throws IOException;

  /**
   * Reads part of an object: as many bytes as {@code to} has room for, or up to the object's end.
   *
   * @param offset offset of the first byte to read, not negative; beyond the object nothing is read
   * @param to its position advances by the bytes read, and is unchanged if this throws
   * @return the number of bytes read, at least 0
   * @throws NoSuchObjectException if there is no object of that name
   */
  int read(String name, long offset, ByteBuffer to) throws IOException;

  /**
   * Returns names of objects, in the order of their characters.
   *
   * @param prefix the beginning of the names, of any length; empty for all names
   * @param after the name after which the list starts; empty for all names
   * @return the first of these names, at least one if there are any; if not all names fit into one
   *     answer, call again with {@code after} set to the last of them
   */
  List<String> list(String prefix, String after) throws IOException;

  /** Deletes objects, any number; ignores names that do not exist. */
  void delete(Collection<String> names) throws IOException;

  /** Returns the engine's properties, without a request to it. */
  ObjectTraits traits();

  /** Returns whether a place of this machine is within the objects, where observers see it. */
  default boolean isBeside(Path place) {
    return false;
  }

  @Override
  void close() throws IOException;

  /**
   * Passes on all names with a prefix after a name, in order, in as many requests as needed.
   *
   * @throws IOException also if an answer has names that were not asked for, or in no order
   */
  default void forEach(String prefix, String after, Consumer<String> names) throws IOException {
    forEachAnswer(prefix, after, page -> page.forEach(names));
  }

  /** Passes on the same names, one answer at a time; checks each answer as a whole. */
  default void forEachAnswer(String prefix, String after, NamesTaker taker) throws IOException {
    String last = after;
    List<String> page = list(prefix, last);
    while (!page.isEmpty()) {
      last = Names.last(page, prefix, last);
      taker.take(page);
      page = list(prefix, last);
    }
  }

  /** Receives the names of an answer. */
  @FunctionalInterface
  interface NamesTaker {
    void take(List<String> names) throws IOException;
  }

  /**
   * Deletes all objects whose names begin with a prefix.
   *
   * @throws IOException also if an answer is wrong, as in {@link #forEach}; none of it is deleted
   */
  default void deleteAll(String prefix) throws IOException {
    deleteAll(prefix, name -> true);
  }

  /** Deletes the objects whose names begin with a prefix and pass a test, one answer at a time. */
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
   * Returns an object's bytes, at most the first {@code mostBytes} of them.
   *
   * @throws NoSuchObjectException if there is no object of that name
   */
  default byte[] readWhole(String name, int mostBytes) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(mostBytes);
    read(name, 0, to);
    return Arrays.copyOf(to.array(), to.position());
  }

  /**
   * Refuses an invalid name.
   *
   * @return the name
   * @throws IllegalArgumentException if the name is invalid
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
   * Refuses content that is too long for one object.
   *
   * @param most {@link #OBJECT_BYTES} or {@link #CREATE_BYTES}
   * @throws IllegalArgumentException if more than {@code most} bytes remain
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

  /** Returns whether a name is valid. */
  static boolean isName(String name) {
    return name.length() <= NAME_CHARS && Names.FORM.matcher(name).matches();
  }

  /** The form of names, compiled once, and a check of an engine's answers. */
  final class Names {
    private static final Pattern FORM = Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)*");

    private Names() {}

    /**
     * Returns the last name of an answer. Refuses one that goes back, which would never end, or has
     * names without the prefix, since what is listed may be deleted.
     */
    static String last(List<String> page, String prefix, String after) throws IOException {
      String last = after;
      for (String name : page) {
        if (name.compareTo(last) <= 0) {
          throw new IOException(
              "the engine was asked for names of objects behind \""
                  + PrintableText.of(after)
                  + "\", and its answer does not go beyond it, or is in no order: it is damaged, or"
                  + " use another");
        }
        if (!name.startsWith(prefix)) {
          throw new IOException(
              "the engine was asked for names of objects that begin with \""
                  + prefix
                  + "\", and its answer has others: it is damaged, or use another");
        }
        last = name;
      }
      return last;
    }
  }
}
