package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.json.JsonFile;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.VolumePage.Listed;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code roram volumes}: what a block server keeps for this client. */
@Command(
    name = "volumes",
    header = "List and delete volumes on a block server.",
    description = {
      "",
      "list shows the volumes that you may use: size, whether a client is connected, and who made"
          + " them. delete removes one with all that is in it, and this machine's half of the"
          + " store (its state directory). It needs no key.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram volumes list tls://blocks.example.org:7420",
      "  roram volumes delete tls://blocks.example.org:7420/vault --yes"
    })
final class VolumesCommand extends StoreTaker {

  /** What to do with volumes. */
  enum Action {
    LIST,
    DELETE
  }

  @Parameters(index = "0", paramLabel = "ACTION", description = "list or delete.")
  Action action;

  @Parameters(
      index = "1",
      paramLabel = "SERVER",
      description = "tcp://HOST:PORT or tls://HOST:PORT; for delete with /VOLUME behind it.")
  String uri;

  @Option(names = "--yes", description = "delete: do it. Without it, say what would be deleted.")
  boolean yes;

  @Option(names = "--json", paramLabel = "FILE", description = "list: write the volumes as JSON.")
  @Nullable Path json;

  VolumesCommand() {
    super(StoreUse.OPEN);
  }

  @Override
  public Integer call() throws IOException {
    if (action == Action.LIST) {
      list(RemoteAddress.ofServer(uri));
    } else {
      delete(
          RemoteAddress.ofStore(uri)
              .orElseThrow(
                  () ->
                      new UsageException(
                          uri
                              + " is not on a block server: give tcp://HOST:PORT/VOLUME or"
                              + " tls://HOST:PORT/VOLUME")));
    }
    return ExitCodes.OK;
  }

  private StoreOptions options() throws IOException {
    return store.options(uri, roram.environment());
  }

  private void list(RemoteAddress server) throws IOException {
    if (yes) {
      throw new UsageException("--yes is for delete: leave it out");
    }
    List<Listed> volumes = RemoteVolumes.list(server, RemoteOptions.of(options()));
    if (volumes.isEmpty()) {
      roram.note("There are no volumes on " + server + " that this client may use.");
    } else {
      line("VOLUME", "SIZE", "IN USE", "MADE BY");
    }
    for (Listed volume : volumes) {
      String inUse = volume.inUse() ? "yes" : "no";
      line(volume.name(), size(volume), inUse, creator(volume));
    }
    if (json != null) {
      write(server, volumes, json);
    }
  }

  private void line(String name, String size, String inUse, String creator) {
    roram.answer("%-24s %10s  %-6s  %s".formatted(name, size, inUse, creator));
  }

  private static String size(Listed volume) {
    return volume.capacityBytes() == 0 ? "?" : ByteSizeConverter.format(volume.capacityBytes());
  }

  private static String creator(Listed volume) {
    return volume.creator().isEmpty() ? "?" : volume.creator();
  }

  private static void write(RemoteAddress server, List<Listed> volumes, Path file)
      throws IOException {
    ObjectNode root = JsonFile.of("volumes", 1).put("server", server.toString());
    ArrayNode list = root.putArray("volumes");
    for (Listed volume : volumes) {
      list.addObject()
          .put("name", volume.name())
          .put("bytes", volume.capacityBytes() == 0 ? null : volume.capacityBytes())
          .put("inUse", volume.inUse())
          .put("creator", volume.creator().isEmpty() ? null : volume.creator());
    }
    JsonFile.write(root, file);
  }

  private void delete(RemoteAddress address) throws IOException {
    if (json != null) {
      throw new UsageException("--json is for list: leave it out");
    }
    StoreOptions options = options();
    if (!yes) {
      throw new UsageException(wouldDelete(address, RemoteOptions.of(options)));
    }
    Stores.delete(uri, options);
    roram.note("Deleted " + address + ".");
  }

  private static String wouldDelete(RemoteAddress address, RemoteOptions options)
      throws IOException {
    Optional<Listed> volume =
        RemoteVolumes.list(address, options).stream()
            .filter(each -> each.name().equals(address.volume()))
            .findFirst();
    if (volume.isEmpty()) {
      throw new NoSuchFileException(
          address.toString(), null, "there is no such volume that this client may use");
    }
    return address
        + ", "
        + size(volume.get())
        + ", made by "
        + creator(volume.get())
        + (volume.get().inUse() ? ", in use now" : "")
        + ", would be deleted with all that is in it, and nothing brings it back: add --yes to do"
        + " it";
  }
}
