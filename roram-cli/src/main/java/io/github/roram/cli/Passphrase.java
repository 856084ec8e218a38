package io.github.roram.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A passphrase as it was typed or read; closing it wipes it. Not safe for use by several threads.
 */
final class Passphrase implements AutoCloseable {

  private static final String KIND = "passphrase file";
  private static final int MAX_FILE_BYTES = 4096;

  private final char[] characters;

  private Passphrase(char[] characters) {
    this.characters = characters;
  }

  /** Asks once. */
  static Passphrase ask(PassphrasePrompt prompt, String store) {
    return new Passphrase(answer(prompt.ask("Passphrase of " + store)));
  }

  /** Asks twice for a new one and refuses answers that differ. */
  static Passphrase askTwice(PassphrasePrompt prompt, String store) {
    char[] first = answer(prompt.ask("New passphrase for " + store));
    char[] second = {};
    boolean same = false;
    try {
      second = answer(prompt.ask("The same again"));
      same = Arrays.equals(first, second);
      if (!same) {
        throw new UsageException("the two passphrases differ; nothing was done");
      }
      return new Passphrase(first);
    } finally {
      Arrays.fill(second, '\0');
      if (!same) {
        Arrays.fill(first, '\0');
      }
    }
  }

  /** The first line of a file, in UTF-8. */
  static Passphrase read(Path file) throws IOException {
    byte[] content = SecretFile.read(file, KIND, MAX_FILE_BYTES);
    CharBuffer text = CharBuffer.allocate(0);
    try {
      int end = 0;
      while (end < content.length && content[end] != '\n' && content[end] != '\r') {
        end++;
      }
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content, 0, end));
      if (!text.hasRemaining()) {
        throw new UsageException(KIND + " " + file + " starts with an empty line");
      }
      char[] characters = new char[text.remaining()];
      text.duplicate().get(characters);
      return new Passphrase(characters);
    } catch (CharacterCodingException e) {
      throw new UsageException(KIND + " " + file + " is no text in UTF-8");
    } finally {
      Arrays.fill(content, (byte) 0);
      Arrays.fill(text.array(), '\0');
    }
  }

  private static char[] answer(char @Nullable [] typed) {
    if (typed == null || typed.length == 0) {
      throw new UsageException("no passphrase was given; an empty one protects nothing");
    }
    return typed;
  }

  /** The live characters, for deriving a key; wiped by {@link #close}. */
  char[] characters() {
    return characters;
  }

  @Override
  public void close() {
    Arrays.fill(characters, '\0');
  }
}
