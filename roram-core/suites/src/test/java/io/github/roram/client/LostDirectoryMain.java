package io.github.roram.client;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Clients of one store that write at the same time without end, each its own blocks, and say what
 * was acknowledged before they go on. Which block a write is of, and what it writes, follows from
 * the client and the number of the write.
 */
final class LostDirectoryMain {

  static final int CLIENTS = 8;
  static final int BLOCKS = 400;
  static final int BLOCK_BYTES = 512;

  private LostDirectoryMain() {}

  /**
   * The directory, what is kept on the store, and the number of each client's first write, behind
   * all that it made before.
   */
  public static void main(String[] arguments) throws IOException {
    Roram roram = at(Path.of(arguments[0]), arguments[1]);
    try (Oram oram = roram.open()) {
      System.out.println("ready");
      AsyncOram calls = oram.async();
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        clients.add(write(calls, client, Integer.parseInt(arguments[2])));
      }
      clients.forEach(CompletableFuture::join);
    }
  }

  private static CompletableFuture<Void> write(AsyncOram oram, int client, int number) {
    return oram.write(block(client, number), content(client, number))
        .thenRun(() -> System.out.println("wrote " + client + " " + number))
        .thenComposeAsync(done -> write(oram, client, number + 1));
  }

  /** The store in a directory, with the client's records in another. */
  static Roram at(Path directory, String kept) {
    return Roram.at("file:" + directory.resolve("store"))
        .key(Key.file(directory.resolve("key")))
        .options(OpenOptions.defaults().withInFlight(CLIENTS))
        .store(StoreOptions.defaults().with(ClientCopy.OPTION, kept))
        .stateDirectory(directory.resolve("state"));
  }

  static OramConfig config() {
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .trees(0)
        .treetopBytes(0)
        .chunkPaths(8)
        .windowBlocks(0)
        .build();
  }

  static int block(int client, int number) {
    int own = BLOCKS / CLIENTS;
    return client + CLIENTS * new SplittableRandom(31L * number + client).nextInt(own);
  }

  static ByteBuffer content(int client, int number) {
    ByteBuffer content = ByteBuffer.allocate(BLOCK_BYTES);
    while (content.hasRemaining()) {
      content.putInt(client).putInt(number);
    }
    return content.flip();
  }
}
