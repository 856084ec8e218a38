package io.github.roram.bench.experiment.claim;

/**
 * What the paper says, and where; it does not say the same everywhere.
 *
 * @param text as "almost 20x"
 * @param place where, as "text" or "caption of figure 7"
 * @param least the ratio that reaches it; of no meaning where none decides
 */
public record Quote(String text, String place, double least) {

  @Override
  public String toString() {
    return text + " (" + place + ")";
  }
}
