package io.github.roram.netserver.metrics;

import io.github.roram.intake.Admission;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.Listener;
import io.github.roram.intake.Listener.ConnectionObserver;
import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.threads.DaemonThreads;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports the server's state over HTTP: {@code /metrics} for Prometheus; {@code /health}, 200 while
 * the process works; {@code /ready}, 200 while it accepts connections, otherwise 503. A connection
 * has one request, without a body, and may take 10 s. There are at most 64: a further one replaces
 * the oldest of the address that has most.
 *
 * <p><b>Security.</b> Off loopback it serves only over TLS, and only {@linkplain MetricsSettings
 * readers} that present a certificate of the authority, or a token as {@code Authorization: Bearer
 * TOKEN}.
 */
public final class OperationsEndpoint implements Closeable {

  private static final int MAX_BODY_BYTES = 0;
  private static final int MAX_LINE_BYTES = 1024;
  private static final int MAX_HEADER_BYTES = 8192;

  /** Most seconds of a connection. */
  private static final int SECONDS = 10;

  private static final int MOST_CONNECTIONS = 64;
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";

  private static final String BEARER = "Bearer ";

  private final MetricsSettings settings;
  private final @Nullable SslContext sslContext;
  private final Authenticator authenticator;
  private final Supplier<String> metrics;
  private final BooleanSupplier ready;

  /** Reads metrics, since those of an ORAM may wait for an access. */
  private final ExecutorService scrapes = DaemonThreads.pool("roram-metrics", 1);

  private final Listener listener;

  /**
   * Starts to listen.
   *
   * @param tls TLS context of the server; null for none
   * @param authenticator identifies readers
   * @param metrics returns the answer to {@code /metrics}
   * @param ready returns whether the server accepts connections
   * @throws IOException if the address is in use or not this machine's
   * @throws io.github.roram.ConfigurationException if a stranger could read the metrics
   */
  public OperationsEndpoint(
      MetricsSettings settings,
      @Nullable SslContext tls,
      Authenticator authenticator,
      Supplier<String> metrics,
      BooleanSupplier ready)
      throws IOException {
    settings.checkExposure(tls != null);
    this.settings = settings;
    sslContext = settings.readers().isEmpty() ? null : tls;
    this.authenticator = authenticator;
    this.metrics = metrics;
    this.ready = ready;
    listener = listen(settings.listen().resolve());
  }

  private Listener listen(InetSocketAddress address) throws IOException {
    try {
      return new Listener(
          "roram-operations",
          1,
          address,
          new Admission(0, new HandshakeLimits(MOST_CONNECTIONS, MOST_CONNECTIONS)),
          sslContext,
          new ConnectionObserver() {},
          (connection, visitor) -> serve(connection));
    } catch (IOException e) {
      BindException failure = new BindException("metrics " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  /** Serves a connection within the time limit. */
  @SuppressWarnings("FutureReturnValueIgnored") // nothing is left to do once it is closed
  void serve(Channel child) {
    Runnable close = child::close;
    Future<?> deadline = child.eventLoop().schedule(close, SECONDS, TimeUnit.SECONDS);
    child.closeFuture().addListener(end -> deadline.cancel(false));
    child
        .pipeline()
        .addLast(new HttpServerCodec(MAX_LINE_BYTES, MAX_HEADER_BYTES, MAX_LINE_BYTES))
        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
        .addLast(new Handler());
  }

  /** Returns the address that it listens at. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.address();
  }

  /** Returns the URI of the metrics. */
  public String uri() {
    InetSocketAddress at = address();
    return (sslContext == null ? "http://" : "https://")
        + new HostPort(at.getAddress().getHostAddress(), at.getPort())
        + "/metrics";
  }

  @Override
  public void close() {
    listener.close();
    scrapes.shutdown();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing is left to do once it is sent or closed
  private final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      FullHttpResponse refusal = refusal(context.channel(), request);
      if (refusal != null || !request.uri().equals("/metrics")) {
        send(context, refusal != null ? refusal : answer(request.uri()));
      } else {
        scrapes.execute(() -> scrape(context));
      }
    }

    private void send(ChannelHandlerContext context, FullHttpResponse response) {
      context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    private void scrape(ChannelHandlerContext context) {
      try {
        if (context.channel().isActive()) {
          send(context, response(HttpResponseStatus.OK, PROMETHEUS, metrics.get()));
        }
      } catch (RuntimeException | Error e) {
        context.close();
        throw e;
      }
    }

    /** Returns the response that refuses a request; null if the request is answered. */
    private @Nullable FullHttpResponse refusal(Channel from, FullHttpRequest request) {
      if (!request.decoderResult().isSuccess()) {
        return response(HttpResponseStatus.BAD_REQUEST, TEXT, "bad request\n");
      }
      if (sslContext != null) {
        Optional<ClientIdentity> who = reader(from, request);
        if (who.isEmpty()) {
          FullHttpResponse refusal =
              response(HttpResponseStatus.UNAUTHORIZED, TEXT, "show a certificate or a token\n");
          refusal.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, BEARER.strip());
          return refusal;
        }
        if (!settings.allows(who.get().name())) {
          return response(HttpResponseStatus.FORBIDDEN, TEXT, "not one of metrics-readers\n");
        }
      }
      return request.method().equals(HttpMethod.GET)
          ? null
          : response(HttpResponseStatus.METHOD_NOT_ALLOWED, TEXT, "use GET\n");
    }

    private FullHttpResponse answer(String path) {
      return switch (path) {
        case "/health" -> response(HttpResponseStatus.OK, TEXT, "ok\n");
        case "/ready" ->
            ready.getAsBoolean()
                ? response(HttpResponseStatus.OK, TEXT, "ready\n")
                : response(HttpResponseStatus.SERVICE_UNAVAILABLE, TEXT, "draining\n");
        default ->
            response(HttpResponseStatus.NOT_FOUND, TEXT, "there are /metrics, /health, /ready\n");
      };
    }

    private Optional<ClientIdentity> reader(Channel from, FullHttpRequest request) {
      String shown = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
      byte[] token =
          shown.startsWith(BEARER)
              ? shown.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8)
              : new byte[0];
      return authenticator.authenticate(Authenticator.Credentials.of(from, token));
    }

    private FullHttpResponse response(HttpResponseStatus status, String type, String text) {
      ByteBuf body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
      FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, type)
          .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
