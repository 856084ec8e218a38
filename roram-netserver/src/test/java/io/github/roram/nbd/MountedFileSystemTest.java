package io.github.roram.nbd;

import static io.github.roram.nbd.Programs.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * ext4 on a server that is killed while files are copied to it and SQLite commits: the file system
 * is clean after its journal alone, files that were synced are whole, and no committed row is
 * missing. By nbdfuse and a loop device, where this may mount.
 */
final class MountedFileSystemTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 100);

  private KilledServer server;
  private Path image;
  private Path mounted;
  private @Nullable Process fuse;
  private final Random random = new Random(3);

  @BeforeEach
  void makeDirectories() throws IOException {
    server = new KilledServer(true);
    image = server.directory().resolve("f/nbd");
    mounted = server.directory().resolve("m");
    Files.createDirectories(mounted);
    Files.createDirectories(server.directory().resolve("f"));
  }

  @AfterEach
  void clean() throws Exception {
    server.kill();
    if (fuse != null) {
      unmount();
    }
    server.close();
  }

  @Tag("gate")
  @Test
  void oneKill() throws Exception {
    kill(1, 6);
  }

  @Tag("crash")
  @Test
  void manyKills() throws Exception {
    kill(LONG_KILLS, 20);
  }

  private void start() throws Exception {
    server.start();
    Process attached =
        Programs.builder("nbdfuse", image.toString(), server.uri())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    fuse = attached;
    Programs.await(image, attached);
  }

  private void unmount() throws Exception {
    Programs.end("umount", "-l", mounted.toString());
    String loops = run("losetup", "-n", "-O", "NAME", "-j", image.toString());
    for (String loop : loops.lines().toList()) {
      Programs.end("losetup", "-d", loop.strip());
    }
    Programs.end("fusermount3", "-u", "-z", server.directory().resolve("f").toString());
    if (fuse != null) {
      fuse.waitFor();
    }
  }

  private void kill(int kills, int mostRows) throws Exception {
    Programs.needMounts();
    Programs.need("sqlite3");
    start();
    run("mkfs.ext4", "-q", "-F", image.toString());
    run("mount", "-o", "loop", image.toString(), mounted.toString());
    run("sqlite3", mounted.resolve("db").toString(), "create table t(i integer primary key, x)");
    run("sync", "-f", mounted.toString());
    int committed = 0;
    for (int round = 0; round < kills; round++) {
      Path copied = mounted.resolve("copy" + round);
      byte[] content = new byte[300_000];
      new Random(round).nextBytes(content);
      Files.write(copied, content);
      run("sync", copied.toString());
      committed = commitUntilKilled(committed, mostRows);
      unmount();
      start();
      // Replays the journal, and finds nothing else to do.
      Programs.Ended replayed =
          Programs.end("e2fsck", "-E", "journal_only", "-p", image.toString());
      assertThat(replayed.code()).as(replayed.output()).isBetween(0, 1);
      run("fsck.ext4", "-fn", image.toString());
      run("mount", "-o", "loop", image.toString(), mounted.toString());
      assertThat(Files.readAllBytes(copied)).isEqualTo(content);
      Path db = mounted.resolve("db");
      assertThat(run("sqlite3", db.toString(), "pragma integrity_check")).isEqualTo("ok\n");
      int rows = Integer.parseInt(run("sqlite3", db.toString(), "select count(*) from t").strip());
      assertThat(rows).isBetween(committed, committed + 1);
      committed = rows;
      Files.delete(copied);
    }
  }

  /** Commits row after row; the server is killed after some. Returns how many were committed. */
  private int commitUntilKilled(int before, int mostRows) throws Exception {
    Process sqlite = Programs.builder("sqlite3", mounted.resolve("db").toString()).start();
    int committed = before;
    int most = before + 2 + random.nextInt(mostRows);
    try (Writer in = sqlite.outputWriter(StandardCharsets.UTF_8);
        BufferedReader out = sqlite.inputReader()) {
      in.write("pragma synchronous=extra;\n");
      in.flush();
      while (committed < most) {
        in.write("insert into t values(" + (committed + 1) + ", hex(randomblob(3000)));\n");
        in.write("select 'done ' || " + (committed + 1) + ";\n");
        in.flush();
        String line = out.readLine();
        if (!("done " + (committed + 1)).equals(line)) {
          throw new IOException("sqlite3 said " + line);
        }
        committed++;
      }
      in.write("insert into t values(" + (committed + 1) + ", hex(randomblob(3000)));\n");
      in.flush();
      server.kill();
    } catch (IOException e) {
      if (server.isAlive()) {
        throw e;
      }
    }
    sqlite.destroyForcibly().waitFor();
    return committed;
  }
}
