package io.github.roram.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.roram.intake.Input;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * Makes commands of the bytes of one client, a piece at a time: arrays of strings, or words in a
 * line. Few commands are in a piece; and before much of a command is kept, its caller may ask how
 * long it will be. For one thread.
 */
final class RespDecoder {

  private static final int MOST_LINE_BYTES = 4096;
  private static final int MOST_WORDS = 1025;

  /** Of a piece in which commands may begin: they may have three bytes each. */
  private static final int PIECE_BYTES = 256;

  /** Of one within a word. */
  private static final int MOST_PIECE_BYTES = 16 << 10;

  /** Of a command that are taken without more ado. */
  private static final int UNASKED_BYTES = 4096;

  /** That a word takes besides its own. */
  static final int WORD_BYTES = 64;

  private static final byte[] NO_BYTES = {};

  private final EmbeddedChannel codec =
      new EmbeddedChannel(new RedisDecoder(MOST_LINE_BYTES, FixedRedisMessagePool.INSTANCE, true));
  private List<byte[]> words = new ArrayList<>();

  /** The word that is arriving, how much of it is there, and how long it will be. */
  private byte[] word = NO_BYTES;

  private int wordFilled;
  private int wordBytes;

  private long missingWords;
  private long bytes;
  private long decoded;

  /**
   * Takes a piece of what came.
   *
   * @param commands gets those that are complete
   * @return how many bytes it took
   * @throws IOException if they are no commands
   */
  int decode(Input in, Queue<List<byte[]>> commands) throws IOException {
    if (in.isEmpty()) {
      return 0;
    }
    int most = Math.max(PIECE_BYTES, Math.min(MOST_PIECE_BYTES, wordBytes - wordFilled));
    byte[] piece = new byte[most];
    int count = in.read(piece, 0, most);
    try {
      // A copy, as what is left of a piece would keep all of the buffer that it is in.
      codec.writeInbound(Unpooled.wrappedBuffer(piece, 0, count));
    } catch (RuntimeException e) {
      throw new IOException("no commands of Redis: " + e.getMessage(), e);
    }
    for (Object next = codec.readInbound(); next != null; next = codec.readInbound()) {
      try {
        take(next, commands);
      } finally {
        ReferenceCountUtil.release(next);
      }
    }
    return count;
  }

  private void take(Object message, Queue<List<byte[]>> commands) throws IOException {
    if (message instanceof InlineCommandRedisMessage line && missingWords == 0) {
      takeLine(line.content(), commands);
    } else if (message instanceof ArrayHeaderRedisMessage array && missingWords == 0) {
      requireAtMost(MOST_WORDS, array.length(), "words");
      missingWords = Math.max(0, array.length());
      bytes = 0;
    } else if (message instanceof BulkStringHeaderRedisMessage head && missingWords > 0) {
      wordBytes = head.bulkStringLength();
      word = new byte[Math.min(wordBytes, UNASKED_BYTES)];
      bytes += wordBytes;
    } else if (message instanceof BulkStringRedisContent part && missingWords > 0) {
      if (part == FullBulkStringRedisMessage.NULL_INSTANCE) {
        throw new IOException("a command with a null word");
      }
      fill(part.content());
      if (part instanceof LastBulkStringRedisContent) {
        end(commands);
      }
    } else {
      throw new IOException("no command of Redis: " + message.getClass().getSimpleName());
    }
  }

  /** The codec waits for the end of a line no longer than that, but takes any that has one. */
  private void takeLine(String line, Queue<List<byte[]>> commands) throws IOException {
    requireAtMost(MOST_LINE_BYTES, line.length(), "characters");
    if (line.isBlank()) {
      return;
    }
    String[] inLine = line.strip().split("\\s+");
    requireAtMost(MOST_WORDS, inLine.length, "words");
    commands.add(Stream.of(inLine).map(each -> each.getBytes(UTF_8)).toList());
    decoded++;
  }

  private void fill(ByteBuf part) {
    int count = part.readableBytes();
    if (wordFilled + count > word.length) {
      word = Arrays.copyOf(word, wordBytes);
    }
    part.readBytes(word, wordFilled, count);
    wordFilled += count;
  }

  private void end(Queue<List<byte[]>> commands) {
    words.add(word);
    word = NO_BYTES;
    wordFilled = 0;
    wordBytes = 0;
    missingWords--;
    if (missingWords == 0) {
      commands.add(words);
      decoded++;
      words = new ArrayList<>();
      bytes = 0;
    }
  }

  /**
   * To be asked before the next piece, once the commands before are done: they may allow more.
   *
   * @param mostBytes of a command
   * @throws IOException if the one that is arriving is longer
   */
  void requireAtMost(long mostBytes) throws IOException {
    requireAtMost(mostBytes, bytes, "bytes");
  }

  private static void requireAtMost(long most, long is, String what) throws IOException {
    if (is > most) {
      throw new IOException("a command of " + is + " " + what + ", must be at most " + most);
    }
  }

  /** Whether the command that is arriving is one to have room for before more of it is taken. */
  boolean isLong() {
    return bytes + (long) WORD_BYTES * words.size() > UNASKED_BYTES;
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
