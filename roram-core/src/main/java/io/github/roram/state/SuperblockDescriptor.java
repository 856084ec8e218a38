package io.github.roram.state;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.Crc32c;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The first 4096 bytes of a store (big endian).
 *
 * <pre>
 *     0  magic "rORAMsb1"          8
 *     8  format version            u16 = 5
 *    10  traits                    u16: 1 keeps a watermark, 2 created with a rollback guard
 *    12  zeros                     4
 *    16  store id                  16
 *    32  store bytes               u64
 *    40  blocks N                  u64
 *    48  block bytes               u32
 *    52  scheme                    u16 length, its id in ASCII
 *        parameters                u16 length, UTF-8, a line name=value\n for each
 *        layout                    u16 length, as the scheme writes it
 *        zeros
 *  4060  key check                 32: HKDF of the master key, salted with bytes 0 … 4059
 *  4092  CRC32C of bytes 0 … 4091  u32
 * </pre>
 *
 * The checksum finds damage without the key; the key check finds a wrong key, and a superblock that
 * someone changed. Nothing in a superblock is trusted before both have passed.
 */
public final class SuperblockDescriptor {

  /** Bytes at the start of the store that the superblock takes. */
  public static final int BYTES = 4096;

  /** Version of this format, and of the store's layout after it. 4: no traits, no nonces. */
  public static final int FORMAT = 5;

  private static final byte[] MAGIC = {'r', 'O', 'R', 'A', 'M', 's', 'b', '1'};
  private static final char ASSIGN = '=';
  private static final char END = '\n';
  private static final Pattern SCHEME_ID = Pattern.compile("[!-~]{1,255}");
  private static final int FORMAT_OFFSET = 8;
  private static final int TRAITS = 10;
  private static final int WITNESSED = 1;
  private static final int GUARDED = 2;
  private static final int STORE_ID = 16;
  private static final int CHECKSUM = BYTES - 4;
  private static final int KEY_CHECK_BYTES = 32;
  private static final int KEY_CHECK = CHECKSUM - KEY_CHECK_BYTES;

  private SuperblockDescriptor() {}

  /**
   * Returns the superblock of a store.
   *
   * @param layout what the scheme must know about the places of its buckets, beyond its parameters
   * @throws ConfigurationException if parameters and layout do not fit
   */
  public static byte[] encode(StoreInfo info, byte[] layout, MasterKey key) {
    OramConfig config = info.config();
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    int traits = (info.witnessed() ? WITNESSED : 0) | (info.guarded() ? GUARDED : 0);
    out.put(MAGIC).putShort((short) info.formatVersion()).putShort((short) traits);
    out.position(STORE_ID);
    out.putLong(info.storeId().getMostSignificantBits());
    out.putLong(info.storeId().getLeastSignificantBits());
    out.putLong(info.storeBytes()).putLong(config.blocks()).putInt(config.blockBytes());
    out.limit(KEY_CHECK);
    try {
      put(out, config.scheme().getBytes(StandardCharsets.US_ASCII));
      put(out, settingsText(config.parameters().settings()));
      put(out, layout);
    } catch (BufferOverflowException e) {
      throw new ConfigurationException(
          "the parameters of scheme "
              + config.scheme()
              + " and its layout do not fit a superblock of "
              + BYTES
              + " bytes; use fewer or shorter ones",
          e);
    }
    byte[] bytes = out.clear().array();
    out.put(KEY_CHECK, keyCheck(bytes, key));
    out.putInt(CHECKSUM, Crc32c.of(bytes, 0, CHECKSUM));
    return bytes;
  }

  /**
   * Encodes settings, in their order.
   *
   * @throws IllegalArgumentException if a name or a value cannot be written
   */
  private static byte[] settingsText(Map<String, String> settings) {
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (name, value) -> {
          if (name.isEmpty() || name.indexOf(ASSIGN) >= 0 || (name + value).indexOf(END) >= 0) {
            throw new IllegalArgumentException(
                "parameter '" + name + "' = '" + value + "' cannot be stored in a line of text");
          }
          text.append(name).append(ASSIGN).append(value).append(END);
        });
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the settings that {@link #settingsText} encoded.
   *
   * @throws IllegalArgumentException if the bytes are no such text
   */
  private static Map<String, String> settings(byte[] bytes) {
    Map<String, String> settings = new LinkedHashMap<>();
    String text = new String(bytes, StandardCharsets.UTF_8);
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf(END, start);
      int assign = text.indexOf(ASSIGN, start);
      if (end < 0 || assign <= start || assign > end) {
        throw new IllegalArgumentException("no line of parameters at character " + start);
      }
      settings.put(text.substring(start, assign), text.substring(assign + 1, end));
      start = end + 1;
    }
    return settings;
  }

  private static void put(ByteBuffer out, byte[] part) {
    out.putShort((short) part.length).put(part);
  }

  private static byte[] take(ByteBuffer in) {
    byte[] part = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(part);
    return part;
  }

  /** Returns whether the bytes are those of a store on which nothing was ever created. */
  public static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the description in a superblock. It is not authenticated: see {@link #checkKey}.
   *
   * @throws IntegrityException if the superblock is missing, damaged, too old or too new
   * @throws ConfigurationException if no available jar has its scheme
   */
  public static StoreInfo decode(byte[] bytes) {
    ByteBuffer in = described(bytes);
    int format = in.getShort(FORMAT_OFFSET);
    int traits = Short.toUnsignedInt(in.getShort(TRAITS));
    UUID storeId = new UUID(in.getLong(), in.getLong());
    long storeBytes = in.getLong();
    long blocks = in.getLong();
    int blockBytes = in.getInt();
    String scheme;
    OramConfig.Builder builder;
    try {
      scheme = new String(take(in), StandardCharsets.US_ASCII);
      if (!SCHEME_ID.matcher(scheme).matches()) {
        throw new IllegalArgumentException("no name of a scheme: " + scheme.length() + " bytes");
      }
      if ((traits & ~(WITNESSED | GUARDED)) != 0) {
        throw new IllegalArgumentException("unknown traits: " + traits);
      }
      builder = OramConfig.builder(blocks).blockBytes(blockBytes).scheme(scheme);
      settings(take(in)).forEach(builder::set);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw forged(e);
    }
    Scheme.of(scheme);
    try {
      return new StoreInfo(
          format,
          storeId,
          storeBytes,
          builder.build(),
          (traits & WITNESSED) != 0,
          (traits & GUARDED) != 0);
    } catch (ConfigurationException e) {
      throw forged(e);
    }
  }

  /** Returns the layout that {@link #encode} was given. */
  public static byte[] layout(byte[] bytes) {
    ByteBuffer in = described(bytes);
    in.position(in.position() + 2 * Long.BYTES + 2 * Long.BYTES + Integer.BYTES);
    take(in);
    take(in);
    return take(in);
  }

  /** Returns the bytes from the store's id to the key check, after checking that they are sound. */
  private static ByteBuffer described(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (isBlank(bytes)) {
      throw new IntegrityException(
          "the store has no superblock: it was erased, or its creation was broken off;"
              + " in the latter case delete it and create it again");
    }
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || in.getInt(CHECKSUM) != Crc32c.of(bytes, 0, CHECKSUM)) {
      throw new IntegrityException(
          "the superblock (the store's first "
              + BYTES
              + " bytes) is corrupt; restore it from a copy");
    }
    int format = in.getShort(FORMAT_OFFSET);
    if (format != FORMAT) {
      throw new IntegrityException(
          "the store has format "
              + format
              + ", this version of roram reads format "
              + FORMAT
              + (format < FORMAT
                  ? "; export the data with an older version, and import it into a new store"
                  : "; use a newer version"));
    }
    return in.limit(KEY_CHECK).position(STORE_ID);
  }

  private static IntegrityException forged(RuntimeException cause) {
    return new IntegrityException(
        "the superblock holds impossible values ("
            + cause.getMessage()
            + "): another version made the store, or it was forged, or restore it from a copy",
        cause);
  }

  /**
   * Checks that the superblock was made with this key.
   *
   * @throws IntegrityException if it is missing, damaged, too old or too new
   * @throws WrongKeyException if it was made with another key
   */
  public static void checkKey(byte[] bytes, MasterKey key) {
    ByteBuffer in = described(bytes);
    if (!isMadeWith(bytes, key)) {
      throw isOfAnotherKey(in);
    }
  }

  private static WrongKeyException isOfAnotherKey(ByteBuffer described) {
    return new WrongKeyException(
        "the key does not belong to store "
            + new UUID(described.getLong(), described.getLong())
            + " (or its superblock was forged); use the key that it was created with");
  }

  /**
   * Returns a superblock that one of these keys made, with its checksum corrected. A change of keys
   * changes the key check and the checksum: a power failure may leave the old one of either. The
   * key check covers everything that the superblock says.
   *
   * @throws IntegrityException if no key made it, and it is missing, damaged, too old or too new
   * @throws WrongKeyException if no key made it, and it is whole
   */
  public static byte[] mended(byte[] bytes, MasterKey... keys) {
    for (MasterKey key : keys) {
      if (isMadeWith(bytes, key)) {
        byte[] mended = bytes.clone();
        ByteBuffer.wrap(mended).putInt(CHECKSUM, Crc32c.of(mended, 0, CHECKSUM));
        return mended;
      }
    }
    throw isOfAnotherKey(described(bytes));
  }

  private static boolean isMadeWith(byte[] bytes, MasterKey key) {
    byte[] found = Arrays.copyOfRange(bytes, KEY_CHECK, KEY_CHECK + KEY_CHECK_BYTES);
    return MessageDigest.isEqual(found, keyCheck(bytes, key));
  }

  private static byte[] keyCheck(byte[] bytes, MasterKey key) {
    return key.derive("roram superblock", Arrays.copyOf(bytes, KEY_CHECK), KEY_CHECK_BYTES);
  }
}
