package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.proxy.protocol.WelcomeDescriptor;
import io.github.roram.storage.intake.SharedIntake;

/**
 * What the connections of a proxy share.
 *
 * <p>Thread safety: safe.
 */
final class ProxyState {

  private final ProxyConfig config;
  private final AsyncOram oram;
  private final SharedIntake intake;
  private final Turns turns = new Turns();

  ProxyState(ProxyConfig config, AsyncOram oram) {
    this.config = config;
    this.oram = oram;
    intake = config.limits().newIntake();
  }

  ProxyConfig config() {
    return config;
  }

  ProxyLimits limits() {
    return config.limits();
  }

  AsyncOram oram() {
    return oram;
  }

  WelcomeDescriptor welcome() {
    OramConfig of = oram.config();
    long longest = (long) of.maxRangeBlocks() * of.blockBytes();
    int most = (int) Math.min(limits().maxRequestBytes(), longest);
    return new WelcomeDescriptor(of, most, limits().maxRequests());
  }

  /** What is taken of clients. */
  SharedIntake intake() {
    return intake;
  }

  Turns turns() {
    return turns;
  }
}
