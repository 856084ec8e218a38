package io.github.roram.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FencesTest {

  /** As after a change of which an error left the client with a part: it is applied again. */
  @Test
  void aLeafThatIsRemovedTwiceIsFreeOnce() {
    Fences fences = new Fences(4);
    fences.add(new byte[0], 0, 1);
    fences.add(new byte[] {5}, 1, 1);
    Fences.Leaf high = fences.of(new byte[] {7});
    fences.remove(high);
    fences.remove(high);
    assertThat(fences.free()).isEqualTo(1);
    fences.add(new byte[] {5}, 1, 1);
    assertThat(fences.hasFree()).isFalse();
  }
}
