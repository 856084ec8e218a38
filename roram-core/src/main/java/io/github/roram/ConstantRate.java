package io.github.roram;

/**
 * An {@link AsyncOram} that makes accesses at fixed times. {@link
 * io.github.roram.open.Orams#atConstantRate} creates one, and says what it hides.
 */
public interface ConstantRate extends AsyncOram {

  /** Returns how many accesses were made for a caller's request. */
  long asked();

  /** Returns how many dummy accesses were made because no request was waiting. */
  long dummies();

  /** Returns how many of the fixed times passed without an access. */
  long missed();
}
