package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The places that requests to an engine of objects would have in a store of files with the same
 * parameters: an object's name contains tree, level, evictions and epoch (docs/file-formats.md,
 * "Objects of a store"). So every judgement of a store of files also applies to a store of objects,
 * from its engine's view.
 */
final class EnginePlaces {

  /** What names of buckets begin with. */
  private static final String BUCKETS = "b/";

  private static final String SUPERBLOCKS = "super/";
  private static final Pattern NAME =
      Pattern.compile(BUCKETS + "([0-9a-f]{2})/([0-9a-f]{2})/([0-9a-f]{16})-[0-9a-f]{8}");
  private static final int HEX = 16;

  private final View view;
  private final StoreMap map;
  private final @Nullable SlotLayout slots;
  private final List<Sight> placed = new ArrayList<>();

  private EnginePlaces(View view) {
    this.view = view;
    map = new StoreMap(view.config(), view.layout());
    slots = SlotLayout.isOf(view.config()) ? new SlotLayout(view.config()) : null;
  }

  /** Returns a view that adds what a store of files would have shown to what an engine saw. */
  static View added(View view) {
    boolean isOfEngine =
        view.sights().stream().anyMatch(sight -> sight.observer() == Observer.ENGINE);
    return isOfEngine ? new EnginePlaces(view).added() : view;
  }

  /** Returns whether an engine is asked for buckets. */
  static boolean readsBuckets(Sight sight) {
    return sight.action() == Action.READ && sight.name().startsWith(BUCKETS);
  }

  private View added() {
    for (Sight sight : view.sights()) {
      placed.add(sight);
      if (sight.observer() == Observer.ENGINE && sight.bytes() > 0) {
        place(sight);
      }
    }
    return new View(view.config(), view.layout(), placed);
  }

  private void place(Sight sight) {
    Matcher name = NAME.matcher(sight.name());
    if (sight.name().startsWith(SUPERBLOCKS)) {
      add(sight, sight.offset(), sight.bytes());
    } else if (name.matches()) {
      int tree = Integer.parseInt(name.group(1), HEX);
      int level = Integer.parseInt(name.group(2), HEX);
      long run = Long.parseUnsignedLong(name.group(3), HEX);
      if (slots != null) {
        add(sight, slots.offset(level, run) + sight.offset(), sight.bytes());
      } else {
        placeBuckets(sight, map.trees().get(tree), level, run);
      }
    }
  }

  private void placeBuckets(Sight sight, Tree tree, int number, long run) {
    Level level = tree.level(number);
    long together = tree.chunkPaths();
    long first = (run + 1) * together - Math.min(together, 1L << number);
    int bytes = level.bucketBytes();
    for (long done = 0; done < sight.bytes(); done += bytes) {
      long eviction = first + (sight.offset() + done) / bytes;
      add(sight, map.offset(level, eviction), Math.min(bytes, sight.bytes() - done));
    }
  }

  private void add(Sight of, long offset, long bytes) {
    Action action = of.action() == Action.SAVE ? Action.WRITE : Action.READ;
    placed.add(new Sight(of.access(), Observer.STORE, action, of.request(), "", offset, bytes));
  }

  /** Each object is written once; buckets are read of objects that were written, within them. */
  static final class WrittenOnce extends ViewCheck {

    private long objects;
    private @Nullable String wrong;

    WrittenOnce() {
      super(Observer.ENGINE, "objects written once");
    }

    @Override
    void add(Seen run) {
      Map<String, Long> there = new HashMap<>();
      for (Sight sight : run.of(Observer.ENGINE)) {
        if (sight.action() == Action.SAVE) {
          objects++;
          if (there.put(sight.name(), sight.bytes()) != null) {
            wrong = sight.name() + " is written twice";
          }
        } else if (EnginePlaces.readsBuckets(sight)
            && there.getOrDefault(sight.name(), 0L) < sight.offset() + sight.bytes()) {
          wrong = sight.name() + " is read, and was not written so far";
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      return CheckOutcome.ofAll(
          objects, wrong, "the engine saw nothing", objects + " objects were written once");
    }
  }

  /**
   * Two sides ask who keeps objects for the same, in the same order and after the same access:
   * names, places and lengths.
   */
  static final class NamedRequests extends PairCheck {

    private final Predicate<Sight> ofAccesses;
    private final Predicate<Sight> atAnyTime;
    private final String ifNone;
    private long requests;
    private int runs;
    private @Nullable String difference;

    private NamedRequests(
        Observer observer,
        String name,
        Predicate<Sight> ofAccesses,
        Predicate<Sight> atAnyTime,
        String ifNone) {
      super(observer, name);
      this.ofAccesses = ofAccesses;
      this.atAnyTime = atAnyTime;
      this.ifNone = ifNone;
    }

    /** Checks of the place of a backup. */
    static PairCheck ofBackups() {
      return new NamedRequests(
          Observer.BACKUP,
          "requests of backups",
          sight -> true,
          sight -> false,
          "no backup was taken");
    }

    /**
     * Checks of an engine with buckets and client's records. Reads of buckets are judged like those
     * of a store of files ({@link EnginePlaces}). When names are listed and objects are deleted
     * depends on the machine, so only the names are compared.
     */
    static PairCheck ofEngine() {
      return new NamedRequests(
          Observer.ENGINE,
          "objects, slots and deletes",
          sight -> !isListOrDelete(sight) && !EnginePlaces.readsBuckets(sight),
          NamedRequests::isListOrDelete,
          "the engine saw nothing");
    }

    private static boolean isListOrDelete(Sight sight) {
      return sight.action() == Action.DELETE
          || (sight.action() == Action.READ && sight.bytes() == 0);
    }

    @Override
    void add(Seen sideA, Seen sideB) {
      runs++;
      List<Sight> a = sideA.of(observer()).stream().filter(ofAccesses).toList();
      List<Sight> b = sideB.of(observer()).stream().filter(ofAccesses).toList();
      requests += a.size();
      int unlike = VaultShapes.firstUnlike(a, b, NamedRequests::isAlike);
      if (unlike >= 0) {
        note("request " + (unlike + 1), describe(a, unlike), describe(b, unlike));
      }
      Set<String> sometimeA = atAnyTime(sideA);
      Set<String> sometimeB = atAnyTime(sideB);
      requests += sometimeA.size();
      if (!sometimeA.equals(sometimeB)) {
        note("at any time", without(sometimeA, sometimeB), without(sometimeB, sometimeA));
      }
    }

    private void note(String where, String inA, String inB) {
      if (difference == null) {
        difference =
            String.format(
                Locale.ROOT, "run %d, %s: one side %s, the other %s", runs, where, inA, inB);
      }
    }

    private Set<String> atAnyTime(Seen seen) {
      return seen.of(observer()).stream()
          .filter(atAnyTime)
          .map(sight -> sight.action() + " '" + sight.name() + "'")
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String without(Set<String> all, Set<String> others) {
      return all.stream().filter(one -> !others.contains(one)).limit(3).toList().toString();
    }

    private static boolean isAlike(Sight a, Sight b) {
      return a.access() == b.access()
          && a.action() == b.action()
          && a.name().equals(b.name())
          && a.offset() == b.offset()
          && a.bytes() == b.bytes();
    }

    private static String describe(List<Sight> requests, int index) {
      return VaultShapes.describe(requests, index)
          + (index < requests.size() ? " '" + requests.get(index).name() + "'" : "");
    }

    @Override
    CheckOutcome outcome() {
      return CheckOutcome.ofAll(
          requests, difference, ifNone, requests + " requests of " + runs + " runs are the same");
    }
  }
}
