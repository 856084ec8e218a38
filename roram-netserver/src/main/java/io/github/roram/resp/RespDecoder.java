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
 * Decodes the commands of one client, piece by piece: arrays of strings, or words in a line. A
 * piece contains few commands, and before the decoder keeps a long command, its caller may ask how
 * long that will be. For use by one thread.
 */
final class RespDecoder {

  private static final int MOST_LINE_BYTES = 4096;
  private static final int MOST_WORDS = 1025;

  /** Bytes of a piece in which commands may begin; the shortest command has three bytes. */
  private static final int PIECE_BYTES = 256;

  /** Most bytes of a piece within a word. */
  private static final int MOST_PIECE_BYTES = 16 << 10;

  /** Most bytes of a command that are accepted without asking. */
  private static final int UNASKED_BYTES = 4096;

  /** Memory of a word besides its bytes. */
  static final int WORD_BYTES = 64;

  private static final byte[] NO_BYTES = {};

  private final EmbeddedChannel codec =
      new EmbeddedChannel(new RedisDecoder(MOST_LINE_BYTES, FixedRedisMessagePool.INSTANCE, true));
  private List<byte[]> words = new ArrayList<>();

  /** The word that is arriving, its bytes so far, and its length. */
  private byte[] word = NO_BYTES;

  private int wordFilled;
  private int wordBytes;

  private long missingWords;
  private long bytes;
  private long decoded;

  /**
   * Decodes a piece of the input.
   *
   * @param commands receives the complete commands
   * @return number of bytes consumed
   * @throws IOException if the bytes are not commands
   */
  int decode(Input in, Queue<List<byte[]>> commands) throws IOException {
    if (in.isEmpty()) {
      return 0;
    }
    int most = Math.max(PIECE_BYTES, Math.min(MOST_PIECE_BYTES, wordBytes - wordFilled));
    byte[] piece = new byte[most];
    int count = in.read(piece, 0, most);
    try {
      // Copy: the rest of a piece would keep the whole buffer that contains it.
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

  /**
   * The codec waits for the end of a line no longer than that, but accepts any line that is
   * complete.
   */
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
   * Checks the length of the command that is arriving. Call it before the next piece, once the
   * previous commands, which may raise the limit, are done.
   *
   * @param mostBytes most bytes of a command
   * @throws IOException if the command is longer
   */
  void requireAtMost(long mostBytes) throws IOException {
    requireAtMost(mostBytes, bytes, "bytes");
  }

  private static void requireAtMost(long most, long is, String what) throws IOException {
    if (is > most) {
      throw new IOException("a command of " + is + " " + what + ", must be at most " + most);
    }
  }

  /**
   * Returns whether the command that is arriving is so long that there must be room for it before
   * more is decoded.
   */
  boolean isLong() {
    return bytes + (long) WORD_BYTES * words.size() > UNASKED_BYTES;
  }

  /** Returns the number of complete commands. */
  long commands() {
    return decoded;
  }

  /** Returns whether part of a command has arrived. */
  boolean isWithinCommand() {
    return missingWords > 0;
  }

  /** Releases all memory. */
  void close() {
    codec.finishAndReleaseAll();
  }
}
