package io.github.roram.state;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.HeapStore;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.cipher.SealedStream;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of another format are told apart from damaged ones, with the remedy. */
final class OlderRecordsTest {

  @ParameterizedTest
  @CsvSource({"1, of an older version of roram", "2, of an older version of roram", "4, format 4"})
  void recordsOfAnotherFormat(int format, String message) throws IOException {
    OramConfig config = OramConfig.builder(64).blockBytes(512).maxRangeBlocks(4).build();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate()) {
      Orams.create(store, vault, config, key).close();
      UUID storeId = Orams.inspect(store).storeId();
      for (String record : new String[] {"state", "epoch"}) {
        vault.save(
            record,
            raw -> {
              try (DataOutputStream out =
                  new DataOutputStream(SealedStream.sealing(key, record, raw))) {
                out.writeShort(format);
                out.writeLong(storeId.getMostSignificantBits());
                out.writeLong(storeId.getLeastSignificantBits());
                out.write(new byte[100]);
              }
            });
        assertThatThrownBy(() -> Orams.open(store, vault, key))
            .isInstanceOf(IntegrityException.class)
            .hasMessageContainingAll("'" + record + "'", storeId.toString(), message);
      }
    }
  }
}
