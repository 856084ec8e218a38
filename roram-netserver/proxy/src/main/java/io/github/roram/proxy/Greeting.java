package io.github.roram.proxy;

import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.Authenticator.Credentials;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.netty.channel.Channel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who a client is, and whether it may use the ORAM. For the event loop. */
final class Greeting {

  private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

  private final ProxyState proxy;
  private final Channel channel;

  Greeting(ProxyState proxy, Channel channel) {
    this.proxy = proxy;
    this.channel = channel;
  }

  /**
   * Why a first request is not done; null if it is a hello.
   *
   * @throws ProtocolException if nothing else of this connection is of interest
   */
  @Nullable String check(RequestDescriptor first) throws ProtocolException {
    if (first.type() != RequestType.HELLO) {
      throw new ProtocolException("connection starts with " + first.type() + ", not with a hello");
    }
    if (first.bytes() > RequestDescriptor.MAX_TOKEN_BYTES) {
      throw new ProtocolException("token of " + first.bytes() + " bytes");
    }
    return proxy.intake().underWay().isDraining()
        ? "the proxy is ending; connect again later"
        : null;
  }

  /** Whether a client that shows this token may use the ORAM. */
  boolean isLetIn(byte[] token) {
    Optional<ClientIdentity> who =
        proxy.config().authenticator().authenticate(Credentials.of(channel, token));
    boolean letIn =
        who.isPresent()
            && proxy.config().access().allows(who.get(), ProxyConfig.VOLUME, Action.USE);
    if (!letIn) {
      proxy.config().observer().accessDenied();
      LOG.atWarn()
          .addKeyValue("remote", channel.remoteAddress())
          .addKeyValue("identity", who.map(ClientIdentity::name).orElse("unknown"))
          .log("client not let in");
    }
    return letIn;
  }
}
