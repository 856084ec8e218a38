package io.github.roram.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.redis.ArrayHeaderRedisMessage;
import io.netty.handler.codec.redis.BulkStringHeaderRedisMessage;
import io.netty.handler.codec.redis.BulkStringRedisContent;
import io.netty.handler.codec.redis.FixedRedisMessagePool;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.InlineCommandRedisMessage;
import io.netty.handler.codec.redis.LastBulkStringRedisContent;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Makes commands of the bytes of one client: arrays of strings, or words in a line. Keeps of a
 * command that is not complete no more than it may have. For one thread.
 */
final class RespDecoder {

  private static final int MOST_LINE_BYTES = 4096;
  private static final int MOST_WORDS = 1025;

  private final EmbeddedChannel codec =
      new EmbeddedChannel(new RedisDecoder(MOST_LINE_BYTES, FixedRedisMessagePool.INSTANCE, true));
  private final ByteArrayOutputStream word = new ByteArrayOutputStream();
  private List<byte[]> words = new ArrayList<>();
  private long missingWords;
  private long bytes;
  private long decoded;

  /**
   * Takes bytes, and frees their buffer.
   *
   * @param mostBytes of a command
   * @param commands gets those that are complete
   * @throws IOException if they are no commands, or longer
   */
  void decode(ByteBuf buffer, long mostBytes, Queue<List<byte[]>> commands) throws IOException {
    try {
      codec.writeInbound(buffer);
    } catch (RuntimeException e) {
      throw new IOException("no commands of Redis: " + e.getMessage(), e);
    }
    for (Object next = codec.readInbound(); next != null; next = codec.readInbound()) {
      try {
        take(next, mostBytes, commands);
      } finally {
        ReferenceCountUtil.release(next);
      }
    }
  }

  private void take(Object message, long mostBytes, Queue<List<byte[]>> commands)
      throws IOException {
    if (message instanceof InlineCommandRedisMessage line && missingWords == 0) {
      List<byte[]> inLine = new ArrayList<>();
      for (String each : line.content().strip().split("\\s+")) {
        inLine.add(each.getBytes(UTF_8));
      }
      if (!line.content().isBlank()) {
        commands.add(inLine);
        decoded++;
      }
    } else if (message instanceof ArrayHeaderRedisMessage array && missingWords == 0) {
      requireAtMost(MOST_WORDS, array.length(), "words");
      missingWords = Math.max(0, array.length());
      bytes = 0;
    } else if (message instanceof BulkStringHeaderRedisMessage head && missingWords > 0) {
      bytes += head.bulkStringLength();
      requireAtMost(mostBytes, bytes, "bytes");
    } else if (message instanceof BulkStringRedisContent part && missingWords > 0) {
      if (part == FullBulkStringRedisMessage.NULL_INSTANCE) {
        throw new IOException("a command with a null word");
      }
      part.content().readBytes(word, part.content().readableBytes());
      if (part instanceof LastBulkStringRedisContent) {
        end(commands);
      }
    } else {
      throw new IOException("no command of Redis: " + message.getClass().getSimpleName());
    }
  }

  private void end(Queue<List<byte[]>> commands) {
    words.add(word.toByteArray());
    word.reset();
    missingWords--;
    if (missingWords == 0) {
      commands.add(words);
      decoded++;
      words = new ArrayList<>();
    }
  }

  private static void requireAtMost(long most, long is, String what) throws IOException {
    if (is > most) {
      throw new IOException("a command of " + is + " " + what + ", must be at most " + most);
    }
  }

  /** How many commands have come whole. */
  long commands() {
    return decoded;
  }

  /** Whether part of a command has come. */
  boolean isWithinCommand() {
    return missingWords > 0;
  }

  /** Frees what is held. */
  void close() {
    codec.finishAndReleaseAll();
  }
}
