package io.github.roram.storage;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * The process that is killed: opens the store, verifies and recovers it, says what every block
 * holds, then writes ranges of blocks full of a stamp, without end. What it does and has done goes
 * to its standard output, a line each:
 *
 * <pre>
 *   opening
 *   verified FINDINGS
 *   recovered
 *   holds STAMP ...   all blocks; -1 for one that holds no single stamp
 *   writes STAMP BLOCK COUNT
 *   wrote STAMP       once the write is acknowledged; or flushed, along with those before
 * </pre>
 */
public final class StampingWriter {

  /** Of the store that {@link #create} makes. */
  public static final int BLOCKS = 256;

  private static final long DAMAGED = -1;

  private final Oram oram;
  private final PrintStream out;
  private final int blockBytes;

  private StampingWriter(Oram oram, PrintStream out) {
    this.oram = oram;
    this.out = out;
    this.blockBytes = oram.config().blockBytes();
  }

  /**
   * Creates the store, and closes it.
   *
   * @param kind a scheme; of scheme roram also {@code file} and {@code recursive}, for the form of
   *     its position map
   * @param keyFile is made, too
   */
  public static void create(String kind, String uri, Path keyFile) throws IOException {
    boolean recursive = kind.equals("recursive");
    String scheme = recursive || kind.equals("file") ? "roram" : kind;
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(512).maxRangeBlocks(16);
    if (recursive) {
      builder.positionMap("recursive").set("blocksPerMapBlock", 8).set("clientLabels", 8);
    }
    if (kind.equals("file")) {
      builder.positionMap("file");
    }
    OramConfig config =
        "detwo".equals(scheme)
            ? builder.set("overhead", 5).set("form", "eager-parallel").build()
            : "ring".equals(scheme)
                ? Rings.small(BLOCKS, 512, 16)
                : builder.treetopBytes(8192).chunkPaths(8).windowBlocks(20).build();
    byte[] secret = new byte[32];
    new Random(1).nextBytes(secret);
    Files.write(keyFile, secret);
    long bytes = Orams.storeBytes(config);
    try (MasterKey key = MasterKey.copyOf(secret);
        OpenedStore created = Stores.create(uri, bytes, StoreOptions.defaults())) {
      Orams.create(created.store(), created.vault(), config, key, options(Durability.SYNC, uri))
          .close();
    }
  }

  /**
   * Runs until killed, or until a number of writes are done.
   *
   * @param arguments store URI, key file, durability, first stamp, writes, and how many writes are
   *     flushed together on the average, 0 if none is to be flushed
   */
  public static void main(String[] arguments) throws IOException {
    run(
        arguments,
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII));
  }

  /** As above, and says it there. */
  public static void run(String[] arguments, PrintStream out) throws IOException {
    byte[] secret = Files.readAllBytes(Path.of(arguments[1]));
    Durability durability = Durability.valueOf(arguments[2]);
    long stamp = Long.parseLong(arguments[3]);
    out.println("opening");
    try (MasterKey key = MasterKey.copyOf(secret);
        OpenedStore opened = Stores.open(arguments[0], StoreOptions.defaults());
        Oram oram =
            Orams.open(opened.store(), opened.vault(), key, options(durability, arguments[0]))) {
      StampingWriter writer = new StampingWriter(oram, out);
      out.println("verified " + oram.verify((done, total) -> {}).findingCount());
      oram.completeRecovery();
      out.println("recovered");
      writer.sayWhatIsHeld();
      writer.write(stamp, Long.parseLong(arguments[4]), Integer.parseInt(arguments[5]));
    }
    out.println("closed");
  }

  /** Small checkpoints, so that many are cut short; maps in files lie next to the store. */
  private static OpenOptions options(Durability durability, String uri) {
    return OpenOptions.defaults()
        .withDurability(durability)
        .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
        .withMapDirectory(Path.of(uri.substring("file:".length())).getParent());
  }

  private void sayWhatIsHeld() throws IOException {
    StringBuilder line = new StringBuilder("holds");
    int step = oram.config().maxRangeBlocks();
    for (long block = 0; block < oram.config().blocks(); block += step) {
      ByteBuffer found = oram.read(block, step);
      for (int i = 0; i < step; i++) {
        line.append(' ').append(stampOf(found));
      }
    }
    out.println(line);
  }

  private long stampOf(ByteBuffer found) {
    long stamp = found.getLong();
    boolean whole = true;
    for (int i = Long.BYTES; i < blockBytes; i += Long.BYTES) {
      whole &= found.getLong() == stamp;
    }
    return whole ? stamp : DAMAGED;
  }

  private void write(long firstStamp, long writes, int flushed) throws IOException {
    Random random = new Random(firstStamp);
    int blocks = (int) oram.config().blocks();
    for (long stamp = firstStamp; stamp < firstStamp + writes; stamp++) {
      int count = 1 + random.nextInt(oram.config().maxRangeBlocks());
      int block = random.nextInt(blocks - count + 1);
      ByteBuffer content = ByteBuffer.allocate(count * blockBytes);
      while (content.hasRemaining()) {
        content.putLong(stamp);
      }
      out.println("writes " + stamp + " " + block + " " + count);
      oram.write(block, content.flip());
      if (flushed == 0) {
        out.println("wrote " + stamp);
      } else if (random.nextInt(flushed) == 0) {
        oram.flush();
        out.println("wrote " + stamp);
      }
    }
  }
}
