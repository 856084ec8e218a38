package io.github.roram.nbd;

import static io.github.roram.nbd.Programs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.storage.StampModel;
import io.github.roram.storage.StampingWriter;
import io.github.roram.testkit.JavaProcess;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores in files on ext4, whose device loses power again and again, and with it what it was not
 * told to flush: all, a part, or some sectors. A process opens, recovers or writes the store then.
 * After each failure the file system mounts, {@code verify} is clean, and every write that was
 * acknowledged with {@code sync}, or flushed, is there.
 *
 * <p>{@code -Droram.power.rounds=n} for so many failures of each kind of store.
 */
final class LostPowerFilesTest {

  private static final int ROUNDS = Integer.getInteger("roram.power.rounds", 4);
  private static final int DEVICE_BYTES = 64 << 20;
  private static final int MOST_CHANGES = 60;
  private static final List<Loss> LOSSES = List.of(Loss.ALL, Loss.ANY, Loss.PREFIX);

  private Random random = new Random(0);
  private SimulatedDisk disk = new SimulatedDisk();
  private Path directory;
  private Path image;
  private Path mounted;
  private @Nullable NbdServer server;
  private @Nullable Process fuse;
  private volatile @Nullable Process writer;

  @BeforeEach
  void makeDirectories() throws IOException {
    // Short: a socket's path has little room.
    directory = Files.createTempDirectory(Path.of("/tmp"), "nbd");
    image = Files.createDirectory(directory.resolve("f")).resolve("nbd");
    mounted = Files.createDirectory(directory.resolve("m"));
  }

  @AfterEach
  void clean() throws Exception {
    Process last = writer;
    if (last != null) {
      last.destroyForcibly().waitFor();
    }
    if (fuse != null) {
      Programs.end("umount", "-l", mounted.toString());
      detach();
    }
    run("rm", "-r", directory.toString());
  }

  @Tag("crash")
  @ParameterizedTest
  @ValueSource(strings = {"roram", "file", "recursive", "path-batched", "tao", "detwo"})
  void manyFailures(String kind) throws Exception {
    Programs.needMounts();
    random = new Random(kind.hashCode() + ROUNDS);
    attach();
    // Without checksums of its own a torn superblock of ext4 is no damage, as no disk tears one.
    run("mkfs.ext4", "-q", "-F", "-b", "4096", "-O", "^metadata_csum", image.toString());
    run("mount", "-o", "loop", image.toString(), mounted.toString());
    StampModel model =
        new StampModel(StampingWriter.BLOCKS, !List.of("path-batched", "tao").contains(kind));
    // What creates the store ends in order, and is cut after that.
    write(model, Loss.ALL, List.of(kind), "0", 0);
    for (int round = 0; round < ROUNDS; round++) {
      restart();
      Loss loss = LOSSES.get(random.nextInt(LOSSES.size()));
      String writes = Integer.toString(random.nextInt(5) == 0 ? random.nextInt(8) : 1000);
      write(model, loss, List.of(), writes, round % 2 == 0 ? 0 : 4);
    }
    restart();
    write(model, Loss.NONE, List.of(), "20", 0);
    assertThat(model.lastWord()).isEqualTo("closed");
    assertThat(model.checks()).isPositive();
    System.out.printf(
        "%s: %d power failures, %d checks and %d acknowledged writes, none lost%n",
        kind, ROUNDS + 2, model.checks(), model.acknowledged());
    restart();
    run("umount", mounted.toString());
    run("fsck.ext4", "-fn", image.toString());
  }

  /** Runs the process until the power fails; or to its end, and the power fails then. */
  private void write(StampModel model, Loss loss, List<String> created, String writes, int flushed)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "file:" + mounted.resolve("store"),
                directory.resolve("key").toString(),
                (flushed > 0 ? Durability.FLUSH : Durability.SYNC).name(),
                Long.toString(model.nextStamp()),
                writes,
                Integer.toString(flushed)));
    arguments.addAll(created);
    Path errors = directory.resolve("errors");
    Process started =
        JavaProcess.of(LostPowerFilesTest.class, arguments).redirectError(errors.toFile()).start();
    writer = started;
    boolean endsInOrder = loss == Loss.NONE || !created.isEmpty();
    int linesBefore = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 3 + random.nextInt(60);
    try (BufferedReader lines = started.inputReader()) {
      int count = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Without power there is little to verify.
        if (!(disk.crashed() && line.startsWith("verified"))) {
          model.accept(line);
        }
        count++;
        if (count == linesBefore && !endsInOrder) {
          long change = disk.changes() + 1 + random.nextInt(MOST_CHANGES);
          disk.crashAt(change, loss, random.nextLong());
        }
      }
    }
    int code = started.waitFor();
    if (!disk.crashed()) {
      assertThat(code).as(Files.readString(errors)).isZero();
      disk.crashNow(loss, random.nextLong());
    }
  }

  /** Some of those that write see I/O fail for a while, others nothing any more. */
  private void killWriter() {
    Process running = writer;
    if (running != null) {
      Executor soon =
          CompletableFuture.delayedExecutor(random.nextInt(3) * 20L, TimeUnit.MILLISECONDS);
      // Not Process.destroyForcibly, which throws away what the pipe still holds.
      soon.execute(() -> running.toHandle().destroyForcibly());
    }
  }

  /** The machine starts again, with what the disk holds. */
  private void restart() throws Exception {
    run("umount", mounted.toString());
    detach();
    disk = disk.restarted();
    attach();
    run("mount", "-o", "loop", image.toString(), mounted.toString());
  }

  private void attach() throws Exception {
    Path socket = directory.resolve("s");
    BlockDevice device = new PowerFailingDevice(disk, DEVICE_BYTES, this::killWriter);
    server =
        NbdServer.start(
            new NbdConfig(
                UnixDomainSocketAddress.of(socket),
                List.of(new Export("", "", false, device)),
                NbdConfig.defaultLimits(),
                null,
                false));
    Process attached =
        Programs.builder("nbdfuse", image.toString(), "nbd+unix:///?socket=" + socket)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    fuse = attached;
    Programs.await(image, attached);
  }

  private void detach() throws Exception {
    String loops = run("losetup", "-n", "-O", "NAME", "-j", image.toString());
    for (String loop : loops.lines().toList()) {
      Programs.end("losetup", "-d", loop.strip());
    }
    Programs.end("fusermount3", "-u", "-z", Objects.requireNonNull(image.getParent()).toString());
    if (fuse != null) {
      fuse.waitFor();
    }
    if (server != null) {
      server.close();
    }
  }

  /**
   * The process: creates the store, if there is one argument more, the kind; then runs {@link
   * StampingWriter}.
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 6) {
      StampingWriter.create(arguments[6], arguments[0], Path.of(arguments[1]));
    }
    StampingWriter.main(arguments);
  }
}
