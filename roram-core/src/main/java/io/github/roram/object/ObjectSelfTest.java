package io.github.roram.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tries whether an engine keeps what safety rests on: that of many who create an object at the same
 * time exactly one wins, that the winner is told so again, and that all see what it wrote. An
 * engine that fails is refused when a store is created. One that passes has proved nothing: it may
 * still fail when a machine of it dies.
 */
public final class ObjectSelfTest {

  private static final int ROUNDS = 20;
  private static final int RACERS = 8;
  private static final int RACER_BYTES = 600;

  private final ObjectSpace space;
  private final String prefix;
  private final SecureRandom random = new SecureRandom();

  private ObjectSelfTest(ObjectSpace space, String prefix) {
    this.space = space;
    this.prefix = prefix;
  }

  /**
   * Writes some objects, races for others, and deletes them all.
   *
   * @param prefix a part of a name, or several, of which the objects get names below
   * @throws UnsafeObjectsException naming the engine, and what it did
   * @throws IOException if the engine cannot be asked
   */
  public static void run(ObjectSpace space, String prefix) throws IOException {
    ObjectSelfTest test = new ObjectSelfTest(space, prefix + "/" + UUID.randomUUID());
    ExecutorService racers = Executors.newFixedThreadPool(RACERS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        test.race(round, racers);
      }
      test.list();
    } finally {
      racers.shutdownNow();
      test.deleteAll();
    }
  }

  private String name(int round) {
    return prefix + "/" + (char) ('a' + round);
  }

  private void race(int round, ExecutorService racers) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    List<Future<Boolean>> answers = new ArrayList<>();
    CyclicBarrier start = new CyclicBarrier(RACERS);
    for (int i = 0; i < RACERS; i++) {
      byte[] content = new byte[RACER_BYTES];
      random.nextBytes(content);
      contents.add(content);
      answers.add(
          racers.submit(
              () -> {
                start.await();
                return space.createOnce(name(round), ByteBuffer.wrap(content));
              }));
    }
    List<byte[]> winners = new ArrayList<>();
    for (int i = 0; i < RACERS; i++) {
      if (answerOf(answers.get(i))) {
        winners.add(contents.get(i));
      }
    }
    if (winners.size() != 1) {
      throw unsafe(
          "of " + RACERS + " who created one object at the same time " + winners.size() + " won");
    }
    checkWinner(round, winners.get(0), contents);
  }

  private static boolean answerOf(Future<Boolean> answer) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw new IOException("a racing create failed: " + e.getCause(), e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void checkWinner(int round, byte[] winner, List<byte[]> contents) throws IOException {
    String name = name(round);
    if (!Arrays.equals(space.readWhole(name, RACER_BYTES + 1), winner)) {
      throw unsafe("an object has not the bytes of the one who was told that it created it");
    }
    for (byte[] content : contents) {
      if (space.createOnce(name, ByteBuffer.wrap(content)) != (content == winner)) {
        throw unsafe("a create that was repeated was answered otherwise than the first time");
      }
    }
  }

  private void list() throws IOException {
    List<String> seen = new ArrayList<>();
    space.forEach(prefix + "/", "", seen::add);
    List<String> there = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      there.add(name(round));
    }
    if (!seen.equals(there)) {
      throw unsafe(there.size() + " objects were created, a list shows " + seen);
    }
  }

  private void deleteAll() throws IOException {
    List<String> names = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      names.add(name(round));
    }
    space.delete(names);
  }

  private UnsafeObjectsException unsafe(String what) {
    return new UnsafeObjectsException(
        space
            + ": "
            + what
            + ", so two clients could both believe that a store is theirs: use an engine that"
            + " creates an object once, or a newer version of this one");
  }
}
