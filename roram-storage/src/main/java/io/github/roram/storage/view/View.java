package io.github.roram.storage.view;

import io.github.roram.OramConfig;
import java.util.List;

/**
 * All that was seen of a run, in order, and what everyone knows of it beforehand.
 *
 * @param config the store's parameters, which its superblock shows
 * @param sights oldest first
 */
public record View(OramConfig config, List<Sight> sights) {

  /** A copy of the list is kept. */
  public View {
    sights = List.copyOf(sights);
  }
}
