package io.github.roram.engine;

/** An {@link Engine} that makes accesses to scattered blocks: {@link Transfer#hasProgram}. */
public interface Scattering {

  /**
   * Refuses an access before anything happens, depending on the configuration alone.
   *
   * @param blocks number of blocks of the access
   * @param shownBlocks number of blocks that it looks like, at least as many
   * @throws io.github.roram.ConfigurationException if accesses that look so may have only fewer
   *     blocks
   */
  void checkScattered(int blocks, int shownBlocks);
}
