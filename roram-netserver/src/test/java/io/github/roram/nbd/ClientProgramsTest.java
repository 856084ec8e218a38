package io.github.roram.nbd;

import static io.github.roram.nbd.Programs.need;
import static io.github.roram.nbd.Programs.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients that people have: libnbd's, QEMU's, fio, nbdkit with faults in between. */
final class ClientProgramsTest {

  private static final int BYTES = TestServer.SMALL_BYTES;

  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.small();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Path noise(int bytes) throws IOException {
    byte[] content = new byte[BYTES];
    new Random(5).nextBytes(content);
    // Zeros at the end: copies write them as zeros.
    Arrays.fill(content, bytes, BYTES, (byte) 0);
    return Files.write(directory.resolve("noise"), content);
  }

  @Test
  void nbdinfo() throws Exception {
    need("nbdinfo");
    assertThat(run("nbdinfo", "--list", server.uri()))
        .contains("export=\"disk\"", "export=\"other\"");
    assertThat(run("nbdinfo", server.uri().replace("///", "///disk")))
        .contains("export-size: 4194304", "using structured packets")
        .contains("can_multi_conn: true", "can_fua: true", "can_fast_zero: true")
        .contains("block_size_minimum: 1\n", "block_size_preferred: 4096")
        .contains("block_size_maximum: 33554432");
    assertThat(run("nbdinfo", server.uri().replace("///", "///other")))
        .contains("is_read_only: true");
  }

  @Test
  void nbdcopyBothWays() throws Exception {
    need("nbdcopy");
    Path in = noise(1_500_001);
    run("nbdcopy", "--flush", in.toString(), server.uri());
    Path out = directory.resolve("out");
    run("nbdcopy", server.uri(), out.toString());
    assertThat(Files.mismatch(in, out)).isEqualTo(-1);
  }

  @Test
  void nbdsh() throws Exception {
    need("nbdsh");
    String script =
        """
        h.pwrite(b'x' * 513, 4095, nbd.CMD_FLAG_FUA)
        assert h.pread(515, 4094) == b'\\0' + b'x' * 513 + b'\\0'
        h.zero(4096, 4096, nbd.CMD_FLAG_FAST_ZERO | nbd.CMD_FLAG_NO_HOLE)
        assert h.pread(4097, 4095) == b'x' + b'\\0' * 4096
        h.zero(3, 4094)
        assert h.pread(3, 4094) == b'\\0' * 3
        h.trim(65536, 0)
        h.flush()
        seen = []
        h.pread_structured(8192, 0, lambda data, at, status, error: seen.append(at), nbd.CMD_FLAG_DF)
        assert seen == [0], seen
        cookies = [h.aio_pwrite(nbd.Buffer.from_bytearray(bytearray([i]) * 512), i * 512)
                   for i in range(100)]
        while h.aio_in_flight() > 0: h.poll(-1)
        for i in range(100): assert h.aio_command_completed(cookies[i])
        for i in range(100): assert h.pread(512, i * 512) == bytes([i]) * 512
        try:
          h.set_strict_mode(0)
          h.pread(1, 1 << 22)
          assert False
        except nbd.Error as error:
          assert error.errno == 'EINVAL'
        """;
    run("nbdsh", "-u", server.uri(), "-c", script);
  }

  @Test
  void qemu() throws Exception {
    need("qemu-io", "qemu-img");
    String uri = server.uri().replace("///", "///disk");
    String said =
        run(
            "qemu-io",
            "-f",
            "raw",
            "-c",
            "write -P 7 100 70000",
            "-c",
            "read -P 7 100 70000",
            "-c",
            "write -f -P 8 8192 512",
            "-c",
            "read -P 8 8192 512",
            "-c",
            "write -z 65536 1M",
            "-c",
            "read -P 0 65536 1M",
            "-c",
            "discard 0 1M",
            "-c",
            "flush",
            uri);
    assertThat(said).doesNotContain("failed", "error");
    Path in = noise(2_500_000);
    run("qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", in.toString(), uri);
    assertThat(run("qemu-img", "compare", "-f", "raw", "-F", "raw", in.toString(), uri))
        .contains("identical");
  }

  /** 64 in flight, any lengths, flushes between; each read is verified. */
  @Test
  void fioVerifies() throws Exception {
    need("fio");
    String said =
        run(
            "fio",
            "--name=v",
            "--ioengine=nbd",
            "--uri=" + server.uri(),
            "--rw=randrw",
            "--bsrange=512-64k",
            "--bs_unaligned",
            "--size=2M",
            "--iodepth=64",
            "--verify=crc32c",
            "--verify_fatal=1",
            "--verify_state_save=0",
            "--fsync=16",
            "--randseed=7",
            "--output-format=normal");
    assertThat(said).contains("err= 0");
  }

  /**
   * Every third request fails on its way, all are slow, and twice none passes until it is allowed
   * to; what succeeded is there.
   */
  @Test
  void nbdkitsFaultsInBetween() throws Exception {
    need("nbdkit", "nbdsh");
    Path socket = directory.resolve("k");
    Path pause = directory.resolve("p");
    Process kit =
        Programs.builder(
                "nbdkit",
                "-f",
                "-U",
                socket.toString(),
                "--filter=pause",
                "--filter=error",
                "--filter=delay",
                "nbd",
                "socket=" + server.socket(),
                "error-rate=30%",
                "delay-read=2ms",
                "delay-write=1ms",
                "pause-control=" + pause)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      Programs.await(socket, kit);
      String script =
          """
          import socket, time
          control = socket.socket(socket.AF_UNIX)
          control.connect('%s')
          def tell(what, answer):
            control.sendall(what)
            assert control.recv(1) == answer
          def again(what):
            while True:
              try: return what()
              except nbd.Error: pass
          def write(i): again(lambda: h.pwrite(bytes([i]) * 6000, i * 7000))
          def paused(command):
            tell(b'p', b'P')
            cookie = command()
            for i in range(5):
              h.poll(20)
              assert not h.aio_command_completed(cookie)
            tell(b'r', b'R')
            try:
              while not h.aio_command_completed(cookie): h.poll(-1)
            except nbd.Error: pass
          for i in range(20): write(i)
          noise = nbd.Buffer.from_bytearray(bytearray(b'x') * 6000)
          paused(lambda: h.aio_pwrite(noise, 20 * 7000))
          for i in range(20, 40): write(i)
          paused(lambda: h.aio_pread(noise, 20 * 7000))
          again(lambda: h.flush())
          for i in range(40): assert again(lambda: h.pread(6000, i * 7000)) == bytes([i]) * 6000
          """
              .formatted(pause);
      run("nbdsh", "-u", "nbd+unix:///?socket=" + socket, "-c", script);
    } finally {
      kit.destroy();
      kit.waitFor();
    }
    try (RawClient client = server.connect().go("disk", false)) {
      assertThat(client.read(7000, 6000)).containsOnly(1);
    }
  }
}
