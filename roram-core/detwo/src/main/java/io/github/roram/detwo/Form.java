package io.github.roram.detwo;

import io.github.roram.ConfigurationException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** How the pages of a write are refreshed; all forms make the same writes in the same order. */
enum Form {
  /** On the calling thread, when the write comes. */
  PLAIN("plain", false, false),
  /** Before the write comes, on a thread beside. */
  EAGER("eager", true, false),
  /** When the write comes, on several threads. */
  PARALLEL("parallel", false, true),
  /** Before the write comes, on several threads. */
  EAGER_PARALLEL("eager-parallel", true, true);

  private final String id;
  private final boolean eager;
  private final boolean parallel;

  Form(String id, boolean eager, boolean parallel) {
    this.id = id;
    this.eager = eager;
    this.parallel = parallel;
  }

  /** The name on command lines and in superblocks. */
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
                        + Arrays.stream(values()).map(Form::id).collect(Collectors.joining(", "))));
  }
}
