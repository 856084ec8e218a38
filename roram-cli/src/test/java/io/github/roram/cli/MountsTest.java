package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.cli.Mounts.Mount;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MountsTest {

  private static final List<String> TABLE =
      List.of(
          "22 1 8:1 / / rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw",
          "30 22 0:40 / /tmp/roram123/f rw,nosuid - fuse nbdfuse rw,user_id=0",
          "31 22 0:41 / /tmp/roram456/f rw,nosuid shared:9 - fuse.nbdfuse nbdfuse rw,user_id=0",
          "32 22 7:0 / /mnt/my\\040vault rw,noatime - ext4 /dev/loop0 rw",
          "33 22 0:42 / /tmp/other/f rw - fuse sshfs rw",
          "a line of another kind");

  @TempDir Path directory;

  @Test
  void findsWhatIsAtAPlace() {
    Mounts mounts = Mounts.parse(TABLE);
    assertThat(mounts.all()).hasSize(5);
    assertThat(mounts.at(Path.of("/mnt/my vault")))
        .contains(new Mount(Path.of("/mnt/my vault"), "ext4", "/dev/loop0"));
    assertThat(mounts.at(Path.of("/mnt"))).isEmpty();
  }

  /** The command is easily repeated as it was given the first time. */
  @Test
  void noFileSystemIsMadeInPlaceOfAnother() throws IOException {
    Path disk = directory.resolve("disk");
    byte[] bytes = new byte[1 << 20];
    Files.write(disk, bytes);
    MountSteps.refuseData(disk);
    for (int superblock : new int[] {0, 1024 + 56, 65536 + 64}) { // of xfs, ext4, btrfs
      byte[] with = bytes.clone();
      with[superblock] = 1;
      Files.write(disk, with);
      assertThatThrownBy(() -> MountSteps.refuseData(disk))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("--make would replace it: leave it out");
    }
  }

  @Test
  void findsFoldersWhoseServerIsGone() {
    Path alive = Path.of("/tmp/roram456/s");
    List<Path> orphans = Mounts.parse(TABLE).orphans(alive::equals);
    assertThat(orphans).containsExactly(Path.of("/tmp/roram123/f"));
    assertThat(Mounts.remedy(Path.of("/mnt/v"), orphans))
        .isEqualTo("umount -l /mnt/v && fusermount3 -uz /tmp/roram123/f && rm -r /tmp/roram123");
  }

  @Test
  void asksWhetherAnyoneAnswersAtASocket() throws IOException {
    Path socket = directory.resolve("s");
    assertThat(Mounts.isServed(socket)).isFalse();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(Mounts.isServed(socket)).isTrue();
    }
    assertThat(Mounts.isServed(socket)).as("a socket that a killed server left").isFalse();
  }

  /** Programs that fail stand in for those that mount, in a process of its own: it ends itself. */
  @Test
  void aFailedMountLeavesNothingAndSaysSo() throws Exception {
    Path programs = programs(1, "mount", "umount", "nbd-client");
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    String[] guard = {"--rollback-guard", directory.resolve("guard").toString()};
    TestStore store = TestStore.create(directory, guard);
    assertThat(mount(store, programs, temporary).waitFor()).isEqualTo(ExitCodes.USAGE);
    assertThat(temporary).isEmptyDirectory();
    assertThat(mount(store, programs, temporary, guard).waitFor()).isEqualTo(ExitCodes.FAILURE);
    assertThat(temporary).isEmptyDirectory();
    assertThat(directory.resolve("errors")).content().contains("nbd-client", "exit code 1");
  }

  /** As where a shell is in it: umount refuses, and what programs wrote is still in memory. */
  @Test
  void whatIsInUseAtTheEndIsSynced() throws Exception {
    programs(0, "mount", "nbd-client", "sync");
    Path programs = programs(32, "umount");
    Process mount = mount(TestStore.create(directory), programs, directory);
    assertThat(mount.inputReader().readLine()).startsWith("Mounted at");
    mount.toHandle().destroy();
    assertThat(mount.waitFor()).isNotZero();
    assertThat(programs.resolve("sync.ran")).content().contains("-f " + directory + "/target");
  }

  /** Stand-ins, which note their arguments. */
  private Path programs(int exitCode, String... names) throws IOException {
    Path programs = Files.createDirectories(directory.resolve("programs"));
    for (String name : names) {
      String script = "#!/bin/sh\necho \"$*\" > \"$0.ran\"\nexit " + exitCode + "\n";
      Path file = Files.writeString(programs.resolve(name), script);
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    return programs;
  }

  private Process mount(TestStore store, Path programs, Path temporary, String... options)
      throws Exception {
    List<String> line = new ArrayList<>(List.of("mount", store.uri()));
    line.add(Files.createDirectories(directory.resolve("target")).toString());
    line.addAll(List.of("--device", store.keyFile().toString()));
    line.addAll(List.of("--key-file", store.keyFile().toString()));
    line.addAll(List.of(options));
    ProcessBuilder builder = ServerProcess.builder(line);
    builder.environment().put("PATH", programs.toString());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    return builder.redirectError(directory.resolve("errors").toFile()).start();
  }
}
