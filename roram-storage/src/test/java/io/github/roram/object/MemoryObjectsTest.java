package io.github.roram.object;

import io.github.roram.testkit.ObjectSpaceContract;

final class MemoryObjectsTest extends ObjectSpaceContract {

  @Override
  protected ObjectSpace newSpace() {
    return new MemoryObjects();
  }
}
