package io.github.roram;

/**
 * An {@link AsyncOram} that makes accesses at fixed times. Get one from {@link
 * io.github.roram.open.Orams#atConstantRate}, which says what it hides.
 */
public interface ConstantRate extends AsyncOram {

  /** Accesses that were made because somebody asked for them. */
  long asked();

  /** Accesses that were made because nobody asked for one. */
  long dummies();

  /** Times at which no access was made. */
  long missed();
}
