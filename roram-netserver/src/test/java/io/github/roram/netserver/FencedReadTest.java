package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.netserver.ReadAnswer.Units;
import io.github.roram.netserver.ReadQueue.ReadJob;
import io.github.roram.netserver.Replies.RequestLog;
import io.github.roram.netserver.Replies.SendingMemory;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.storage.remote.protocol.Message.Failure;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen.Mode;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads of a connection that loses its volume while they are made. */
@NullUnmarked // what is taken back of a connection's requests is nobody's here
final class FencedReadTest {

  private static final int BYTES = 1000;
  private static final ExtentBatch ALL = Batches.of(1, 0, BYTES);

  /** Somebody's connection. */
  private static final class Connection implements Volume.Holder {
    @Override
    public ClientIdentity client() {
      return ClientIdentity.ANONYMOUS;
    }

    @Override
    public void fenced(String why) {}

    void take(Volume volume, long token) throws IOException {
      try {
        volume.open(this, new VolumeOpen("v", "", new LeaseToken(token, token), Mode.TAKE_OVER));
      } catch (RequestException e) {
        throw new IOException(e);
      }
    }
  }

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Connection owner = new Connection();
  private final Connection taker = new Connection();
  private @Nullable Volume volume;

  /** Between the question whether a connection has the volume and its read, another takes it. */
  private final class TakenStore extends FilterBlockStore {
    TakenStore(BlockStore store) {
      super(store);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      taker.take(volume, 2);
      Batches.write(this, ALL, Batches.noise(BYTES, 2));
      super.read(batch, sink);
    }
  }

  /** Its client would take it for forged. */
  @Test
  void whatTheNextOneWroteIsNotTheAnswer() throws Exception {
    OpenedStore store =
        new OpenedStore(new TakenStore(new MemoryStore(BYTES)), ClientVault.inMemory());
    volume = new Volume("v", store, () -> store, Runnable::run, Duration.ZERO, System::nanoTime);
    owner.take(volume, 1);
    Replies replies =
        new Replies(
            channel,
            new RequestLog(ServerObserver.NONE, System::nanoTime),
            new SendingMemory(new MemoryBudget(1 << 20)));
    ReadQueue queue = new ReadQueue(channel, Runnable::run, null, 1);
    new ReadJob(replies, queue, owner, volume, 7, new Units(ALL), 1, 1 << 16).run();
    EmbeddedChannel client = new EmbeddedChannel(new FrameDecoder(1 << 16));
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      client.writeInbound(sent);
    }
    Frame answer = client.readInbound();
    assertThat(answer.type()).isEqualTo(FrameType.ERROR);
    assertThat(Failure.decode(answer.payload()).code()).isEqualTo(ErrorCode.LEASE_LOST);
    answer.release();
  }
}
