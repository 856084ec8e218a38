package io.github.roram.bench.search;

import io.github.roram.OramConfig;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.map.IndexShape;
import io.github.roram.map.ObliviousIndex;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a search costs, by the length of its word's list, and what adding a document costs with its
 * share of the merges: an {@link ObliviousIndex} of generated texts, counted on a store in memory.
 */
public final class SearchExperiment extends NamedExperiment {

  static final String ID = "search";

  private static final String INDEX = "index";
  private static final String ADDED = "added";
  private static final String READS = "reads";
  private static final int DOCUMENTS_OF_LOG = 16;
  private static final int LONGEST_RANGE = 256;
  private static final int BLOCK_BYTES = 4096;
  private static final int DOCUMENT_WORDS = 100;
  private static final int WORDS_OF_DOCUMENT = 75;
  private static final double WORK_OF_DOCUMENT = 1000;
  private static final double WORK_OF_SEARCH = 100;

  /** An index of this many texts, in memory. */
  private static final class Filled implements Closeable {
    private final StoredTarget target;
    private final ObliviousIndex index;
    private final IoCounts filling;
    private final Map<Integer, List<String>> words;
    private final int documents;

    Filled(OramConfig config, IndexShape shape, int documents, long seed, Runnable alive)
        throws IOException {
      this.documents = documents;
      target =
          StoredTarget.create("mem:", StoreOptions.defaults(), config, StoredTarget.UNSYNCED, 0);
      index = ObliviousIndex.create(target.oram(), shape);
      ZipfTexts texts = new ZipfTexts(shape.words(), seed);
      target.store().reset();
      for (int document = 0; document < documents; document++) {
        index.add(document, texts.next());
        alive.run();
      }
      target.oram().flush();
      filling = target.store().total();
      words = words(index);
    }

    /** Returns some words by the number of blocks of their lists, which is what a search finds. */
    private static Map<Integer, List<String>> words(ObliviousIndex index) throws IOException {
      Map<Integer, List<String>> words = new HashMap<>();
      int all = index.shape().words();
      // Ranks from one on, each a tenth more than the one before.
      for (int rank = 0; rank < all; rank += 1 + rank / 10) {
        String word = ZipfTexts.word(rank);
        int blocks = blocks(index.search(word).length);
        words.computeIfAbsent(blocks, none -> new ArrayList<>()).add(word);
      }
      return words;
    }

    private static int blocks(int documents) {
      int most = 1 + (Math.max(0, documents - 1) * Integer.BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
      return Integer.highestOneBit(2 * most - 1);
    }

    Point search(Point.Key key, int blocks, Runnable alive) throws IOException {
      List<String> ofLength = words.getOrDefault(blocks, List.of());
      target.oram().flush();
      target.store().reset();
      long made = 0;
      while (!ofLength.isEmpty() && made < key.amount()) {
        index.search(ofLength.get((int) (made++ % ofLength.size())));
        alive.run();
      }
      target.oram().flush();
      Map<String, Double> figures =
          Map.of(READS, (double) target.store().of(IoPhase.READ).requests());
      return Point.counted(
              key, made, made * blocks, 0, Map.of(IoPhase.READ, target.store().total()))
          .withFigures(figures);
    }

    Point added(Point.Key key) {
      return Point.counted(key, documents, documents, 0, Map.of(IoPhase.READ, filling))
          .withFigures(Map.of(READS, 0.0));
    }

    @Override
    public void close() throws IOException {
      target.close();
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public SearchExperiment() {
    super(ID, "a search by the length of its word's list, and adding a document");
  }

  @Override
  public Set<String> choices() {
    return Set.of(INDEX);
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    if (!options.isModelled()) {
      return List.of();
    }
    int documents = options.scale().pick(200, 10_000, 50_000, 200_000);
    IndexShape shape = shape(documents);
    OramConfig config = config(documents, shape);
    long seed = run;
    Job.Builder<Filled> job =
        Job.on(
            documents * WORK_OF_DOCUMENT,
            alive -> new Filled(config, shape, documents, seed, alive));
    Point.Key added = key(options, ADDED, run, config, documents);
    job.step(added, 1, (filled, alive) -> filled.added(added));
    int longest = Filled.blocks(documents);
    int searches = options.scale().pick(20, 300, 300, 300);
    for (int blocks = 1; blocks <= Math.min(longest, LONGEST_RANGE); blocks *= 2) {
      int of = blocks;
      Point.Key key = key(options, Integer.toString(blocks), run, config, searches);
      job.step(key, searches * WORK_OF_SEARCH, (filled, alive) -> filled.search(key, of, alive));
    }
    return List.of(job.build());
  }

  private static Point.Key key(
      ExperimentOptions options, String x, int run, OramConfig config, int amount) {
    return options.key(ID, false, INDEX, x, run, config, amount);
  }

  private static IndexShape shape(int documents) {
    // By Heaps' law; generated words are drawn from as many.
    return new IndexShape(
        (int) (100 * Math.sqrt(documents)), DOCUMENT_WORDS, documents / DOCUMENTS_OF_LOG);
  }

  private static OramConfig config(int documents, IndexShape shape) {
    long postings = (long) documents * WORDS_OF_DOCUMENT * Integer.BYTES / BLOCK_BYTES;
    long dictionary = (long) shape.words() * 20 / BLOCK_BYTES;
    long blocks = shape.bufferedDocuments() + 2 * (postings + dictionary + 10);
    return OramConfig.builder(Math.max(blocks, 2 * LONGEST_RANGE))
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(LONGEST_RANGE)
        .treetopBytes(0)
        .build();
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
                TableStyle.open(
                    ID,
                    "Searches of an index",
                    "By blocks of the word's list, rounded up to a power of two; then a document of"
                        + " 100 words that is added, with its share of the merges. No treetop;"
                        + " times are modelled, evictions included."),
                results -> new Table(columns(), rows(results.modelled())))
            .unlessEmpty(Results::modelled));
  }

  private static List<String> columns() {
    return Stream.concat(
            Stream.of("blocks", "answered after round trips", "requests", "KB"),
            DeviceModel.ALL.stream().map(device -> "ms, " + device.id()))
        .toList();
  }

  private static List<List<String>> rows(List<Point> points) {
    return Averages.rows(
        points.stream().filter(point -> point.queries() > 0).toList(),
        (place, runs) -> {
          List<String> row = new ArrayList<>(List.of(place.x()));
          row.add(mean(runs, point -> point.figure(READS)));
          row.add(mean(runs, point -> point.total().requests()));
          row.add(mean(runs, point -> point.total().bytes() / 1e3));
          for (DeviceModel device : DeviceModel.ALL) {
            row.add(mean(runs, point -> 1e3 * device.seconds(point.total())));
          }
          return row;
        });
  }

  private static String mean(List<Point> runs, ToDoubleFunction<Point> value) {
    double mean = Averages.mean(runs, p -> value.applyAsDouble(p) / p.queries());
    return String.format(Locale.ROOT, "%.3g", mean);
  }

  /**
   * Texts whose words follow Zipf's law: the word of rank r is drawn with a probability that is
   * proportional to 1/r, as in natural languages.
   */
  static final class ZipfTexts {

    private static final int DRAWS = 100;

    private final double[] upTo;
    private final SplittableRandom random;

    ZipfTexts(int words, long seed) {
      upTo = new double[words];
      double sum = 0;
      for (int rank = 0; rank < words; rank++) {
        sum += 1.0 / (rank + 1);
        upTo[rank] = sum;
      }
      random = new SplittableRandom(seed);
    }

    /** Returns the distinct words of a text of {@value #DRAWS}. */
    Set<String> next() {
      Set<String> words = new HashSet<>();
      for (int i = 0; i < DRAWS; i++) {
        int found = Arrays.binarySearch(upTo, random.nextDouble(upTo[upTo.length - 1]));
        words.add(word(found >= 0 ? found : -found - 1));
      }
      return words;
    }

    static String word(int rank) {
      return "w" + rank;
    }
  }
}
