package io.github.roram.object;

import io.github.roram.store.OnFailure;
import io.github.roram.threads.Uninterrupted;
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
 * Tests whether an engine keeps the rules on which safety rests: of several clients that create an
 * object at the same time exactly one wins, the winner gets the same answer again, and all see what
 * it wrote. It also tests that deleted objects are gone. Creating a store refuses an engine that
 * fails. Passing proves nothing: the engine may still fail when one of its machines dies.
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
   * Writes some objects, has several threads race to create others, and deletes them all.
   *
   * @param prefix one or more parts of a name, below which the objects are named
   * @throws UnsafeObjectsException if the engine failed the test; the message names the engine and
   *     what it did
   * @throws IOException if a request to the engine failed
   */
  public static void run(ObjectSpace space, String prefix) throws IOException {
    ObjectSelfTest test = new ObjectSelfTest(space, prefix + "/" + UUID.randomUUID());
    OnFailure.close(
        test::deleteAll,
        () -> {
          test.race();
          test.list();
          return test;
        });
    test.deleteAll();
    test.checkDeleted();
  }

  private String name(int round) {
    return prefix + "/" + (char) ('a' + round);
  }

  private void race() throws IOException {
    ExecutorService racers = Executors.newFixedThreadPool(RACERS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        race(round, racers);
      }
    } finally {
      racers.shutdownNow();
    }
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
    boolean[] won = new boolean[1];
    try {
      Uninterrupted.await(() -> won[0] = answer.get());
    } catch (ExecutionException e) {
      throw new IOException("a racing create failed: " + e.getCause(), e.getCause());
    }
    return won[0];
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

  private void checkDeleted() throws IOException {
    if (!space.list(prefix + "/", "").isEmpty()) {
      throw new UnsafeObjectsException(
          space
              + ": objects that were deleted are still listed, so what is there would grow without"
              + " end: use an engine that deletes, or a newer version of this one");
    }
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
