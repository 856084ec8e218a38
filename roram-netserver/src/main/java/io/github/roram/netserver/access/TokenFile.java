package io.github.roram.netserver.access;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokens that clients may present instead of a certificate, one per line: an identity, a blank,
 * {@code sha256:} and the hash of the token in hexadecimal. Empty lines and lines that start with
 * {@code #} are ignored. One identity may have several tokens.
 *
 * <p><b>Security.</b> This class generates tokens from 32 random bytes, so a plain hash cannot be
 * inverted by guessing. A token is compared with every line in a time that does not depend on where
 * they differ. Anyone who can write the file can impersonate every client, so others must not have
 * write access.
 */
public final class TokenFile {

  /** The longest token that is accepted, in bytes. */
  public static final int MAX_TOKEN_BYTES = 256;

  private static final int RANDOM_BYTES = 32;
  private static final Pattern LINE = Pattern.compile("(\\S+)\\s+sha256:([0-9a-fA-F]{64})");
  private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
      PosixFilePermissions.fromString("----w--w-");

  private static final class Entry {
    private final ClientIdentity identity;
    private final byte[] hash;

    Entry(ClientIdentity identity, byte[] hash) {
      this.identity = identity;
      this.hash = hash;
    }
  }

  private final List<Entry> entries;

  private TokenFile(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * Reads the file.
   *
   * @throws ConfigurationException if a line is malformed, or others may write the file
   */
  public static TokenFile read(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    // Any bytes can be read so: the message about a line that is no text names its number, too.
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    if (view != null
        && view.readAttributes().permissions().stream().anyMatch(WRITE_OF_OTHERS::contains)) {
      throw new ConfigurationException(
          "token file " + file + " can be written by others; run: chmod 600 " + file);
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        entries.add(entry(line, file + ":" + (i + 1)));
      }
    }
    return new TokenFile(entries);
  }

  private static Entry entry(String line, String place) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches() || !mayHaveToken(matcher.group(1))) {
      throw new ConfigurationException(
          place
              + ": not an identity and the hash of its token; make lines with: roram server"
              + " add-token");
    }
    return new Entry(
        new ClientIdentity(matcher.group(1)), HexFormat.of().parseHex(matcher.group(2)));
  }

  private static boolean mayHaveToken(String name) {
    return ClientIdentity.isName(name) && !name.equals(ClientIdentity.ANONYMOUS.name());
  }

  /** Returns a new token, which belongs to no identity yet. */
  public static String newToken() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * Generates a token for an identity and appends its line to a file, as {@link #add(Path,
   * ClientIdentity, String)} does.
   *
   * @return the token, which is stored nowhere: give it to the client
   */
  public static String add(Path file, ClientIdentity identity) throws IOException {
    String token = newToken();
    add(file, identity, token);
    return token;
  }

  /**
   * Appends a token's line to a file, which is created if it does not exist. If that fails, on a
   * full disk above all, the file is as before. It is not replaced by another one: whoever calls
   * may not be its owner, who has to read it.
   *
   * @param token a token of {@link #newToken}; it is stored nowhere: the client must have it
   */
  public static void add(Path file, ClientIdentity identity, String token) throws IOException {
    if (!mayHaveToken(identity.name())) {
      throw new ConfigurationException(
          "identity is \"" + identity + "\", which has another meaning; choose another name");
    }
    boolean isNew = Files.notExists(file);
    if (!isNew) {
      read(file);
    }
    byte[] hash = sha256(token.getBytes(StandardCharsets.US_ASCII));
    String line = identity + " sha256:" + HexFormat.of().formatHex(hash) + "\n";
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            OwnerOnly.file(file))) {
      String before = endsInMidLine(file) ? "\n" : "";
      append(channel, StandardCharsets.UTF_8.encode(before + line));
    } catch (IOException e) {
      if (isNew) {
        Files.deleteIfExists(file);
      }
      throw DurableFiles.orFull(file, e);
    }
  }

  /** Appends all of it or nothing. */
  private static void append(FileChannel channel, ByteBuffer bytes) throws IOException {
    long before = channel.size();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (IOException e) {
      channel.truncate(before);
      throw e;
    }
  }

  private static boolean endsInMidLine(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    return content.length > 0 && content[content.length - 1] != '\n';
  }

  /** Returns the identity that a token belongs to, if any. */
  public Optional<ClientIdentity> identify(byte[] token) {
    if (token.length == 0 || token.length > MAX_TOKEN_BYTES) {
      return Optional.empty();
    }
    byte[] hash = sha256(token);
    Optional<ClientIdentity> found = Optional.empty();
    for (Entry entry : entries) {
      if (MessageDigest.isEqual(entry.hash, hash)) {
        found = Optional.of(entry.identity);
      }
    }
    Arrays.fill(hash, (byte) 0);
    return found;
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
