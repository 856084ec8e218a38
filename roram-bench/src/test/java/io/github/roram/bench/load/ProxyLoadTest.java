package io.github.roram.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.bench.load.Load.LoadOptions;
import io.github.roram.bench.load.Load.LoadOptions.Addresses;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.proxy.ProxyServer;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads of clients of a proxy. */
class ProxyLoadTest {

  private static AsyncOram newOram() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      return Orams.queued(
          Orams.create(
              new MemoryStore(Orams.storeBytes(KilledProxyMain.CONFIG)),
              ClientVault.inMemory(),
              KilledProxyMain.CONFIG,
              key),
          64);
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aLoadOfManyClientsFindsNothingWrong() throws IOException {
    try (AsyncOram oram = newOram();
        ProxyServer proxy = ProxyServer.start(ProxyConfig.anyoneOnThisMachine(0), oram)) {
      ProxyAddress address = new ProxyAddress("127.0.0.1", proxy.address().getPort());
      List<ProxyClient> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        clients.add(ProxyClient.connect(address, ProxyOptions.defaults()));
      }
      LoadOptions options = new LoadOptions(4, Duration.ofMillis(700), 50, Addresses.ZIPF, 2, 1);
      while (clients.stream().anyMatch(client -> client.stats().accesses() == 0)) {
        // On a busy machine a client may not have its turn in so short a time.
        LoadResult result = Load.run(options, clients, () -> false);
        assertThat(result.mismatches()).isZero();
      }
      clients.forEach(ProxyClient::close);
    }
  }
}
