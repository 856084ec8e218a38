package io.github.roram.detwo;

import io.github.roram.BlockSink;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads blocks from where they are: one request for a range, and no writes. Not thread safe. */
final class PageReads {

  private static final int SCAN_BLOCKS = 256;

  private final OramContext context;
  private final PageTable table;
  private final PageCodec codec;
  private final PageRequest request;
  private final byte[] sealed;
  private final byte[] block;

  /** The pages of the request, each of the block in {@link #blocks}. */
  private final List<Page> pages = new ArrayList<>();

  private int[] blocks = new int[1];
  private int count;

  PageReads(OramContext context, Areas areas, PageTable table, PageCodec codec) {
    this.context = context;
    this.table = table;
    this.codec = codec;
    request = new PageRequest(context.store(), areas);
    sealed = new byte[areas.pageBytes()];
    block = new byte[context.config().blockBytes()];
  }

  long opens() {
    return codec.opens();
  }

  /** Reads the blocks of a transfer. */
  void read(Transfer transfer) throws IOException {
    plan(transfer.block(), transfer.blocks());
    int next = 0;
    for (int i = 0; i < transfer.blocks(); i++) {
      int address = transfer.block() + i;
      if (next < count && blocks[next] == address) {
        next++;
      } else {
        transfer.moveZeros(address);
      }
    }
    fetch(transfer);
  }

  /** Opens the planned pages, into the transfer's own memory if possible. */
  private void fetch(Transfer transfer) throws IOException {
    request.read(
        (unit, bytes) -> {
          bytes.get(sealed);
          int address = blocks[unit];
          byte[] memory = transfer.memoryOf(address);
          if (memory != null) {
            codec.open(sealed, pages.get(unit), memory, transfer.indexOf(address));
          } else {
            codec.open(sealed, pages.get(unit), block);
            transfer.move(address, block, 0);
          }
        });
  }

  /** Plans the request for all blocks of a range that were ever written. */
  private void plan(int first, int range) {
    request.reset(IoPhase.READ);
    count = 0;
    for (int address = first; address < first + range; address++) {
      if (pages.size() == count) {
        pages.add(new Page());
        blocks = blocks.length > count ? blocks : Arrays.copyOf(blocks, 2 * count);
      }
      Page page = table.locate(address, pages.get(count));
      if (page.exists()) {
        request.add(page);
        blocks[count++] = address;
      }
    }
  }

  /**
   * Passes all blocks that were ever written to a sink, in order. An exception of the sink is
   * thrown only once the store has passed on the whole request.
   */
  void scan(BlockSink sink) throws IOException {
    IOException[] thrown = new IOException[1];
    int all = (int) context.config().blocks();
    long total = context.config().bytes();
    for (int first = 0; first < all; first += SCAN_BLOCKS) {
      int scanned = Math.min(SCAN_BLOCKS, all - first);
      plan(first, scanned);
      request.read(
          (unit, bytes) -> {
            bytes.get(sealed);
            if (thrown[0] == null) {
              codec.open(sealed, pages.get(unit), block);
              try {
                sink.accept(blocks[unit], ByteBuffer.wrap(block).asReadOnlyBuffer());
              } catch (IOException e) {
                thrown[0] = e;
              }
            }
          });
      if (thrown[0] != null) {
        throw thrown[0];
      }
      sink.advancedTo((first + (long) scanned) * block.length, total);
    }
  }

  void wipe() {
    Arrays.fill(block, (byte) 0);
  }
}
