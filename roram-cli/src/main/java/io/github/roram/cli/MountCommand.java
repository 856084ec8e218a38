package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code roram mount}: a file system in a store, by other programs. */
@Command(
    name = "mount",
    header = "Mount a file system that is in a store (Linux, as root).",
    description = {
      "",
      "Serves the store as roram nbd does, at a private socket, and makes a block device of"
          + " it with nbdfuse and a loop device, or with nbd-client (--device). Prints each"
          + " command that it runs. It runs until it is stopped (SIGTERM, SIGINT); it then"
          + " unmounts, makes everything durable and exits with code 0.",
      "",
      "--make creates the file system first, in a store that has no data yet.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram mount file:/data/vault /mnt/vault --make --key-file my.key",
      "  roram mount file:/data/vault /mnt/vault --key-file my.key"
    })
final class MountCommand extends StoreCommand {

  /** How names of the folders begin that have socket and device. */
  static final String DIRECTORY_PREFIX = "roram";

  @Parameters(index = "1", paramLabel = "DIR", description = "Where to mount it.")
  Path target;

  @Option(
      names = "--fs",
      paramLabel = "TYPE",
      defaultValue = "ext4",
      description = "Type of the file system (default: ${DEFAULT-VALUE}).")
  String type;

  @Option(names = "--make", description = "Create the file system first, with mkfs.TYPE.")
  boolean make;

  @Option(
      names = "--options",
      paramLabel = "LIST",
      defaultValue = "noatime",
      description = "Mount options (default: ${DEFAULT-VALUE}).")
  String options;

  @In(HelpSection.MORE)
  @Option(
      names = "--device",
      paramLabel = "/dev/nbdN",
      description =
          "Use this device of the kernel's NBD client, with nbd-client, instead of nbdfuse.")
  @Nullable Path device;

  @Option(names = "--read-only", description = "Mount it read-only.")
  boolean readOnly;

  @In(HelpSection.MORE)
  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description = "As with roram nbd (default: flush).")
  @Nullable Durability durability;

  @Override
  public Integer call() throws IOException {
    MountSteps steps = new MountSteps(roram.environment(), target, type, device);
    steps.check(make);
    ErrorLog.ofService(true);
    Path directory =
        Files.createTempDirectory(
            DIRECTORY_PREFIX,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    NbdService service = start(directory);
    Ending ending = new Ending(steps, service, directory);
    Thread onExit =
        ServiceLife.endWithProcess("roram-mount-end", () -> ExitCodes.ofService(ending.undo()));
    try {
      steps.mount(directory, make, readOnly ? "ro," + options : options);
    } catch (IOException | RuntimeException | Error e) {
      ending.undo();
      // The hook would end the process as if by a signal, with code 0.
      StopSignal.removeHook(onExit);
      throw e;
    }
    roram.answer("Mounted at " + target);
    service.awaitClosed();
    return ExitCodes.OK;
  }

  private NbdService start(Path directory) throws IOException {
    return OnFailure.close(
        () -> Files.deleteIfExists(directory),
        () -> new NbdService(settings(directory), roram.environment()));
  }

  private NbdService.Settings settings(Path directory) throws IOException {
    NbdService.Settings.Served served =
        new NbdService.Settings.Served(
            "",
            "",
            storeUri,
            options(),
            keys,
            opening,
            durability,
            -1,
            InFlightOption.DEFAULT,
            readOnly);
    return new NbdService.Settings(
        UnixDomainSocketAddress.of(directory.resolve("s")), null, false, List.of(served));
  }

  /** The orderly end. Safe for use by several threads. */
  private record Ending(MountSteps steps, NbdService service, Path directory) {

    synchronized boolean undo() {
      boolean undone = steps.undo();
      boolean ended = service.end();
      try {
        Files.deleteIfExists(directory.resolve("f"));
        Files.deleteIfExists(directory);
      } catch (IOException e) {
        undone = false;
      }
      return undone && ended;
    }
  }
}
