package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.ClientMemory;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.RecoveryReport;
import io.github.roram.StoreInfo;
import io.github.roram.json.JsonFile;
import io.github.roram.storage.StoreTraits;
import java.util.Optional;

/** What {@code roram info} says of a store, as JSON; see {@code docs/json.md}. */
final class InfoJson {

  private InfoJson() {}

  /** What shows without a key; {@code state} is null. */
  static ObjectNode of(
      String storeUri, StoreTraits traits, StoreInfo info, Optional<String> lock, boolean journal) {
    OramConfig config = info.config();
    ObjectNode root =
        JsonFile.of("info", 1)
            .put("store", storeUri)
            .put("id", info.storeId().toString())
            .put("format", info.formatVersion())
            .put("scheme", config.scheme())
            .put("blocks", config.blocks())
            .put("blockBytes", config.blockBytes())
            .put("bytes", config.bytes())
            .put("maxRangeBlocks", config.maxRangeBlocks())
            .put("mostStoreBytes", info.storeBytes())
            .put("witnessed", info.witnessed())
            .put("guarded", info.guarded())
            .put("lockedWith", lock.orElse(null))
            .put("journal", journal);
    ObjectNode parameters = root.putObject("parameters");
    config.parameters().settings().forEach(parameters::put);
    root.putObject("traits")
        .put("readsSeen", traits.readsSeen())
        .put("inPlace", traits.writes() == StoreTraits.Writes.IN_PLACE)
        .put("granuleBytes", traits.granuleBytes())
        .put("atomicBytes", traits.atomicBytes())
        .put("requests", traits.requests());
    return root.putNull("state");
  }

  /** Adds what shows with the key. */
  static void putState(ObjectNode root, Oram oram, int inFlight) {
    RecoveryReport recovery = oram.recovery();
    ObjectNode state =
        root.putObject("state")
            .put("clean", recovery.clean())
            .put("accessesToRecover", recovery.accesses())
            .put("chunksToRecover", recovery.chunks())
            .put("mapBytes", oram.stats().mapBytes());
    ArrayNode trees = state.putArray("trees");
    for (TreeStats tree : oram.stats().trees()) {
      trees
          .addObject()
          .put("rangeBlocks", tree.rangeBlocks())
          .put("isMap", tree.isMap())
          .put("height", tree.height())
          .put("treetopLevels", tree.treetopLevels())
          .put("evictions", tree.evictions())
          .put("heldBlocks", tree.heldBlocks())
          .put("stashBlocks", tree.stashBlocks());
    }
    putMemory(state, oram, inFlight);
  }

  private static void putMemory(ObjectNode state, Oram oram, int inFlight) {
    Optional<ClientMemory> most = MemoryText.most(oram.config(), inFlight);
    if (most.isEmpty()) {
      state.putNull("clientMemory");
      return;
    }
    ClientMemory now = oram.clientMemory();
    ObjectNode memory =
        state
            .putObject("clientMemory")
            .put("inFlight", inFlight)
            .put("bytes", now.bytes())
            .put("mostBytes", most.get().bytes());
    ArrayNode items = memory.putArray("items");
    for (ClientMemory.Item item : most.get().items()) {
      items
          .addObject()
          .put("name", item.name())
          .put("bytes", now.bytes(item.name()))
          .put("mostBytes", item.bytes());
    }
  }
}
