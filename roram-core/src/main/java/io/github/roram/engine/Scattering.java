package io.github.roram.engine;

/** An {@link Engine} that makes accesses to scattered blocks: {@link Transfer#hasProgram}. */
public interface Scattering {

  /**
   * Refuses an access before anything happens. What it says follows from the configuration.
   *
   * @param blocks of how many blocks it is
   * @param shownBlocks of how many it is to look, at least as many
   * @throws io.github.roram.ConfigurationException if accesses that look so are of fewer
   */
  void checkScattered(int blocks, int shownBlocks);
}
