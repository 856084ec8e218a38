package io.github.roram.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.testkit.FaultyObjects;
import io.github.roram.testkit.FaultyObjects.Fault;
import java.io.IOException;
import java.util.Collection;
import org.junit.jupiter.api.Test;

class ObjectSelfTestTest {

  private final MemoryObjects objects = new MemoryObjects();
  private final FaultyObjects faults = new FaultyObjects(objects);

  @Test
  void anEngineThatLetsTwoWinIsRefusedByName() throws IOException {
    faults.arm(Fault.LIE, name -> name.endsWith("/m"), 1);
    assertThatThrownBy(() -> ObjectSelfTest.run(faults, "a"))
        .isInstanceOf(UnsafeObjectsException.class)
        .hasMessageContaining("faulty objects in memory")
        .hasMessageContaining("2 won");
    assertThat(objects.list("", "")).isEmpty();
  }

  @Test
  void oneThatCannotBeAskedIsNoBadEngine() {
    faults.arm(Fault.REFUSED, name -> true, 1);
    assertThatThrownBy(() -> ObjectSelfTest.run(faults, "a"))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(UnsafeObjectsException.class)
        .hasMessageContaining("slow down");
  }

  /** A store in it would grow with each access. */
  @Test
  void anEngineThatDoesNotDeleteIsRefused() {
    ObjectSpace keeping =
        new FilterObjectSpace(objects) {
          @Override
          public void delete(Collection<String> names) {}
        };
    assertThatThrownBy(() -> ObjectSelfTest.run(keeping, "a"))
        .isInstanceOf(UnsafeObjectsException.class)
        .hasMessageContaining("still listed");
  }

  /** The reason counts, even if what the test has written cannot be deleted. */
  @Test
  void whyAnEngineIsRefusedIsSaidEvenIfDeletesFail() {
    ObjectSpace away =
        new FilterObjectSpace(faults) {
          @Override
          public void delete(Collection<String> names) throws IOException {
            throw new IOException("away");
          }
        };
    faults.arm(Fault.LIE, name -> name.endsWith("/a"), 1);
    assertThatThrownBy(() -> ObjectSelfTest.run(away, "a"))
        .isInstanceOf(UnsafeObjectsException.class)
        .hasSuppressedException(new IOException("away"));
  }
}
