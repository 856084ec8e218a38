package io.github.roram.state;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * The first 4096 bytes of a store (big endian).
 *
 * <pre>
 *     0  magic "rORAMsb1"          8
 *     8  format version            u16 = 1, 2 with a write share below 1, or 3 with other trees than
 *                               size classes
 *    10  scheme, preset            u8, u8: their places in SCHEMES and PRESETS
 *    12  flags                     u32: bit 0 recursive position map; bits 16 … 31: 2^15 times the write
 *                               share, 0 for a share of 1
 *    16  store id                  16
 *    32  store bytes               u64
 *    40  blocks N                  u64
 *    48  treetop bytes             u64
 *    56  block bytes, max range    u32, u32
 *    64  Z, A, blocks per leaf     u32, u32, u32
 *    76  chunk K, window W, stash limit  u32, u32, u32
 *    88  size classes              u8 count, then 27 exponents u8
 *   116  trees                     u32: bit t for one with ranges of 2^t blocks; 0 before format 3
 *   120  key check                 32: HKDF of the master key, salted with bytes 0 … 119
 *   152  zeros
 *  4092  CRC32C of bytes 0 … 4091  u32
 * </pre>
 *
 * The checksum finds damage without the key; the key check finds a wrong key, and a superblock that
 * someone changed: nothing in it is believed before both have passed.
 */
public final class SuperblockDescriptor {

  /** Bytes at the start of the store that the superblock takes. */
  public static final int BYTES = 4096;

  /** Version of the format, and of the layout of what follows. */
  public static final int FORMAT = 1;

  /** Version of stores with a write share below 1, which earlier versions of roram must refuse. */
  public static final int FORMAT_WITH_WRITE_SHARE = 2;

  /** Version of stores whose trees are not their size classes. */
  public static final int FORMAT_WITH_TREES = 3;

  private static final byte[] MAGIC = {'r', 'O', 'R', 'A', 'M', 's', 'b', '1'};

  /** By their code in the format. */
  private static final List<Scheme> SCHEMES =
      List.of(Scheme.PATH, Scheme.PATH_BATCHED, Scheme.RORAM);

  /** By their code in the format. */
  private static final List<Preset> PRESETS = List.of(Preset.PAPER, Preset.PROVEN, Preset.COMPACT);

  private static final int SHARE_SHIFT = 16;
  private static final int CLASSES = 88;
  private static final int MAX_CLASSES = 27;
  private static final int TREES = 116;
  private static final int KEY_CHECK = 120;
  private static final int KEY_CHECK_BYTES = 32;
  private static final int CHECKSUM = BYTES - 4;

  private SuperblockDescriptor() {}

  /** The version that a store of this configuration has. */
  public static int formatOf(OramConfig config) {
    if (!config.hasTreeForEachClass()) {
      return FORMAT_WITH_TREES;
    }
    return config.writeShareParts() == OramConfig.WRITE_SHARE_PARTS
        ? FORMAT
        : FORMAT_WITH_WRITE_SHARE;
  }

  /** The superblock of a store. */
  public static byte[] encode(StoreInfo info, MasterKey key) {
    OramConfig config = info.config();
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.put(MAGIC).putShort((short) info.formatVersion());
    out.put((byte) SCHEMES.indexOf(config.scheme()));
    out.put((byte) PRESETS.indexOf(config.preset()));
    out.putInt(flags(config));
    out.putLong(info.storeId().getMostSignificantBits());
    out.putLong(info.storeId().getLeastSignificantBits());
    out.putLong(info.storeBytes()).putLong(config.blocks()).putLong(config.treetopBytes());
    out.putInt(config.blockBytes()).putInt(config.maxRangeBlocks());
    out.putInt(config.bucketSlots()).putInt(config.evictionRate()).putInt(config.blocksPerLeaf());
    out.putInt(config.chunkPaths()).putInt(config.windowBlocks()).putInt(config.stashLimitBlocks());
    int[] classes = config.sizeClasses();
    out.put((byte) classes.length);
    for (int exponent : classes) {
      out.put((byte) exponent);
    }
    byte[] bytes = out.array();
    if (!config.hasTreeForEachClass()) {
      out.putInt(TREES, Arrays.stream(config.trees()).reduce(0, (bits, tree) -> bits | 1 << tree));
    }
    System.arraycopy(keyCheck(bytes, key), 0, bytes, KEY_CHECK, KEY_CHECK_BYTES);
    out.putInt(CHECKSUM, checksum(bytes));
    return bytes;
  }

  private static int flags(OramConfig config) {
    int share = config.writeShareParts();
    int shareBits = share == OramConfig.WRITE_SHARE_PARTS ? 0 : share << SHARE_SHIFT;
    return shareBits | (config.recursivePositionMap() ? 1 : 0);
  }

  private static double writeShare(int flags) {
    int parts = flags >>> SHARE_SHIFT;
    return parts == 0 ? 1 : (double) parts / OramConfig.WRITE_SHARE_PARTS;
  }

  /** Whether the bytes are those of a store on which nothing was ever created. */
  public static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * What a superblock says. It is not authenticated: see {@link #checkKey}.
   *
   * @throws IntegrityException if it is missing, damaged, too old or too new
   */
  public static StoreInfo decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (isBlank(bytes)) {
      throw new IntegrityException(
          "the store has no superblock: nothing was created on it, or it was erased");
    }
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || in.getInt(CHECKSUM) != checksum(bytes)) {
      throw new IntegrityException(
          "the superblock (the store's first "
              + BYTES
              + " bytes) is corrupt; restore it from a copy");
    }
    int format = in.getShort(8);
    if (format < FORMAT || format > FORMAT_WITH_TREES) {
      throw new IntegrityException(
          "the store has format "
              + format
              + ", this version of roram reads formats "
              + FORMAT
              + " to "
              + FORMAT_WITH_TREES
              + "; use "
              + (format > FORMAT ? "a newer" : "an older")
              + " version");
    }
    UUID storeId = new UUID(in.getLong(16), in.getLong(24));
    try {
      return new StoreInfo(format, storeId, in.getLong(32), config(in));
    } catch (ConfigurationException | IndexOutOfBoundsException e) {
      throw new IntegrityException("the superblock holds impossible values; it was forged", e);
    }
  }

  private static OramConfig config(ByteBuffer in) {
    Scheme scheme = SCHEMES.get(in.get(10));
    OramConfig.Builder builder =
        OramConfig.builder(in.getLong(40))
            .scheme(scheme)
            .preset(PRESETS.get(in.get(11)))
            .recursivePositionMap((in.getInt(12) & 1) != 0)
            .treetopBytes(in.getLong(48))
            .blockBytes(in.getInt(56))
            .maxRangeBlocks(in.getInt(60))
            .bucketSlots(in.getInt(64))
            .evictionRate(in.getInt(68))
            .blocksPerLeaf(in.getInt(72))
            .chunkPaths(in.getInt(76))
            .windowBlocks(in.getInt(80))
            .stashLimitBlocks(in.getInt(84))
            .writeShare(writeShare(in.getInt(12)));
    if (scheme == Scheme.RORAM) {
      int[] classes = new int[Math.min(in.get(CLASSES), MAX_CLASSES)];
      Arrays.setAll(classes, i -> in.get(CLASSES + 1 + i));
      builder.sizeClasses(classes);
      if (in.getShort(8) == FORMAT_WITH_TREES) {
        int bits = in.getInt(TREES);
        builder.trees(
            IntStream.range(0, Integer.SIZE).filter(t -> (bits >>> t & 1) != 0).toArray());
      }
    }
    return builder.build();
  }

  /**
   * Checks that the superblock was made with this key.
   *
   * @throws WrongKeyException if not
   */
  public static void checkKey(byte[] bytes, MasterKey key) {
    byte[] found = Arrays.copyOfRange(bytes, KEY_CHECK, KEY_CHECK + KEY_CHECK_BYTES);
    if (!MessageDigest.isEqual(found, keyCheck(bytes, key))) {
      throw new WrongKeyException(
          "the key does not belong to store "
              + decode(bytes).storeId()
              + " (or its superblock was forged); use the key that it was created with");
    }
  }

  /**
   * The superblock with its own checksum, if one of these keys made it. A change of keys changes
   * the key check and the checksum, which are in different sectors of a disk: a power failure may
   * leave the old one of either. The key check covers all that the superblock says.
   */
  public static byte[] mended(byte[] bytes, MasterKey... keys) {
    for (MasterKey key : keys) {
      byte[] found = Arrays.copyOfRange(bytes, KEY_CHECK, KEY_CHECK + KEY_CHECK_BYTES);
      if (MessageDigest.isEqual(found, keyCheck(bytes, key))) {
        byte[] mended = bytes.clone();
        ByteBuffer.wrap(mended).putInt(CHECKSUM, checksum(mended));
        return mended;
      }
    }
    return bytes;
  }

  private static byte[] keyCheck(byte[] bytes, MasterKey key) {
    return key.derive("roram superblock", Arrays.copyOf(bytes, KEY_CHECK), KEY_CHECK_BYTES);
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKSUM);
    return (int) crc.getValue();
  }
}
