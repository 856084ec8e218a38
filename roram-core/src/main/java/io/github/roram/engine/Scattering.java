package io.github.roram.engine;

/** An {@link Engine} that makes accesses to scattered blocks: {@link Transfer#hasProgram}. */
public interface Scattering {

  /**
   * Refuses an access before anything happens, depending on the configuration alone.
   *
   * @param blocks number of blocks of the access
   * @param shownBlocks number of blocks that the access looks like, at least {@code blocks}
   * @throws io.github.roram.ConfigurationException if an access that looks like {@code shownBlocks}
   *     blocks must have fewer
   */
  void checkScattered(int blocks, int shownBlocks);
}
