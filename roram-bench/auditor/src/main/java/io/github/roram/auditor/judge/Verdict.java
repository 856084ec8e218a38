package io.github.roram.auditor.judge;

/** What a check came to. */
public enum Verdict {
  /** What the observer saw depends on more than it may. */
  TOLD_APART("told apart"),
  /** The check found nothing. */
  ALIKE("alike"),
  /** There was nothing, or too little, to check. */
  NOT_APPLICABLE("not applicable");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** In words. */
  public String text() {
    return text;
  }
}
