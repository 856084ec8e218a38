package io.github.roram.detwo;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.cipher.BucketCipher;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameters of DetWoORAM.
 *
 * @param holdingBlocks M, pages of the holding area; with N blocks a write refreshes K = N/M pages
 * @param maxRangeBlocks L, the longest range of one access, at most M
 * @param cipher the algorithm that seals pages
 * @param form how pages are refreshed; may change from one opening to the next
 * @param adversary the adversary that the user declared when the store was created
 */
record DetWoParameters(
    int holdingBlocks,
    int maxRangeBlocks,
    BucketCipher.Algorithm cipher,
    Form form,
    Adversary adversary)
    implements SchemeParameters {

  static final String SCHEME = "detwo";

  private static final String HOLDING = "holdingBlocks";
  private static final String OVERHEAD = "overhead";
  private static final String RANGE = "maxRangeBlocks";
  private static final String CIPHER = "cipher";
  private static final String FORM = "form";
  private static final String ADVERSARY = "adversary";

  /** The names of the parameters. */
  static final Set<String> NAMES = Set.of(HOLDING, OVERHEAD, RANGE, CIPHER, FORM, ADVERSARY);

  /** The parameters that may change at each opening. */
  static final Set<String> OPENING_NAMES = Set.of(FORM);

  private static final BigDecimal DEFAULT_OVERHEAD = BigDecimal.valueOf(3);
  private static final int DEFAULT_RANGE_BLOCKS = 256;
  private static final int MOST_RANGE_BLOCKS = 1 << 12;

  /** Returns the parameters of a store: see {@link io.github.roram.Scheme#parameters}. */
  static DetWoParameters of(long blocks, SchemeSettings settings) {
    int holding = holding((int) blocks, settings);
    int longest = Math.min(holding, MOST_RANGE_BLOCKS);
    return new DetWoParameters(
        holding,
        settings.number(
            RANGE,
            Math.min(longest, DEFAULT_RANGE_BLOCKS),
            1,
            longest,
            "split longer ranges, or enlarge the holding area (holdingBlocks)"),
        cipher(settings.text(CIPHER, "aes")),
        Form.of(settings.text(FORM, Form.PLAIN.id())),
        adversary(settings.text(ADVERSARY, "full")));
  }

  private static int holding(int blocks, SchemeSettings settings) {
    int byOverhead = ofOverhead(blocks, settings);
    int holding =
        settings.number(HOLDING, byOverhead, 1, blocks, "it is at least one page, at most N");
    if (settings.has(OVERHEAD) && holding != byOverhead) {
      throw new ConfigurationException(
          "holdingBlocks is "
              + holding
              + ", but overhead "
              + settings.text(OVERHEAD, "")
              + " makes it "
              + byOverhead
              + "; set one of them");
    }
    return holding;
  }

  /** Returns M for a given K: the least with which a write refreshes at most K pages. */
  private static int ofOverhead(int blocks, SchemeSettings settings) {
    BigDecimal overhead;
    String given = settings.text(OVERHEAD, DEFAULT_OVERHEAD.toString()).trim();
    try {
      overhead = new BigDecimal(given);
    } catch (NumberFormatException e) {
      throw new ConfigurationException(
          "overhead is '" + given + "', must be a number from 1 to N, as in 3 or 2.5", e);
    }
    BigDecimal all = BigDecimal.valueOf(blocks);
    if (overhead.compareTo(BigDecimal.ONE) < 0
        || (settings.has(OVERHEAD) && overhead.compareTo(all) > 0)) {
      throw new ConfigurationException(
          "overhead is "
              + given
              + ", must be 1 to the number of blocks, "
              + blocks
              + ": so many pages are refreshed for each one that is written");
    }
    return Math.max(1, all.divide(overhead, 0, RoundingMode.CEILING).intValueExact());
  }

  private static BucketCipher.Algorithm cipher(String id) {
    return switch (id) {
      case "aes" -> BucketCipher.Algorithm.AES_256_GCM;
      case "chacha" -> BucketCipher.Algorithm.CHACHA20_POLY1305;
      default ->
          throw new ConfigurationException(
              "cipher is '" + id + "', must be aes (AES-256-GCM) or chacha (ChaCha20-Poly1305)");
    };
  }

  private static Adversary adversary(String id) {
    return switch (id) {
      case "full" -> Adversary.FULL;
      case "snapshots" -> Adversary.SNAPSHOTS;
      default ->
          throw new ConfigurationException(
              "adversary is '" + id + "', must be full, or snapshots for one who sees no reads");
    };
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(HOLDING, String.valueOf(holdingBlocks));
    settings.put(RANGE, String.valueOf(maxRangeBlocks));
    settings.put(CIPHER, cipher == BucketCipher.Algorithm.AES_256_GCM ? "aes" : "chacha");
    settings.put(FORM, form.id());
    settings.put(ADVERSARY, adversary.name().toLowerCase(Locale.ROOT));
    return settings;
  }

  @Override
  public String toString() {
    return settings().toString();
  }

  /** How the pages of a write are refreshed; all forms make the same writes in the same order. */
  enum Form {
    /** Refreshes on the calling thread, when the write comes. */
    PLAIN("plain", false, false),
    /** Refreshes before the write comes, on a thread alongside. */
    EAGER("eager", true, false),
    /** Refreshes when the write comes, on several threads. */
    PARALLEL("parallel", false, true),
    /** Refreshes before the write comes, on several threads. */
    EAGER_PARALLEL("eager-parallel", true, true);

    private final String id;
    private final boolean eager;
    private final boolean parallel;

    Form(String id, boolean eager, boolean parallel) {
      this.id = id;
      this.eager = eager;
      this.parallel = parallel;
    }

    /** Returns the name on command lines and in superblocks. */
    String id() {
      return id;
    }

    boolean isEager() {
      return eager;
    }

    boolean isParallel() {
      return parallel;
    }

    static Form of(String id) {
      return Arrays.stream(values())
          .filter(form -> form.id.equals(id))
          .findFirst()
          .orElseThrow(
              () ->
                  new ConfigurationException(
                      "form is '"
                          + id
                          + "', must be one of "
                          + Arrays.stream(values())
                              .map(Form::id)
                              .collect(Collectors.joining(", "))));
    }
  }
}
