package io.github.roram.netserver.tls;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A private certificate authority: signs certificates of block servers and of their clients.
 *
 * <p><b>Security.</b> Keys are on P-256, signatures ECDSA with SHA-256. The authority's certificate
 * signs only end certificates (path length 0). A server's certificate is not valid for a client,
 * nor a client's for a server. There are no revocation lists: remove an identity from the access
 * rules, and use short lifetimes. Anyone with the authority's key can impersonate every client:
 * keep it off the server.
 *
 * @param certificate the authority's certificate
 * @param privateKey the authority's private key
 */
record CertificateAuthority(X509Certificate certificate, PrivateKey privateKey) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int SERIAL_BITS = 127;
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  /**
   * An issued certificate and its key.
   *
   * @param certificate signed by the authority
   * @param privateKey the certificate's private key
   */
  record Issued(X509Certificate certificate, PrivateKey privateKey) {}

  /** Creates a new authority, valid from an hour before now on. */
  static CertificateAuthority create(Instant now, Duration life) throws GeneralSecurityException {
    KeyPair keys = newKeys();
    byte[] suffix = new byte[4];
    RANDOM.nextBytes(suffix);
    X500Principal name =
        new X500Principal("CN=roram private CA " + HexFormat.of().formatHex(suffix));
    try {
      X509v3CertificateBuilder builder = builder(name, name, now, now.plus(life), keys);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return new CertificateAuthority(sign(builder, keys.getPrivate()), keys.getPrivate());
    } catch (CertIOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /**
   * Issues a certificate for a server with these DNS names and IP addresses.
   *
   * @throws ConfigurationException if the authority has expired, or its key does not match
   */
  Issued issueServer(Collection<String> hosts, Instant now, Duration life)
      throws GeneralSecurityException {
    GeneralName[] names =
        hosts.stream()
            .map(
                host ->
                    new GeneralName(
                        HostNames.isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName,
                        host))
            .toArray(GeneralName[]::new);
    X500Principal subject = new X500Principal("CN=roram block server");
    return issue(subject, names, KeyPurposeId.id_kp_serverAuth, now, life);
  }

  /** Issues a certificate for a client with an identity; fails as {@link #issueServer} does. */
  Issued issueClient(ClientIdentity identity, Instant now, Duration life)
      throws GeneralSecurityException {
    GeneralName uri =
        new GeneralName(
            GeneralName.uniformResourceIdentifier,
            CertificateIdentity.URI_PREFIX + identity.name());
    X500Principal subject = new X500Principal("CN=" + identity.name());
    return issue(subject, new GeneralName[] {uri}, KeyPurposeId.id_kp_clientAuth, now, life);
  }

  private Issued issue(
      X500Principal subject, GeneralName[] names, KeyPurposeId purpose, Instant now, Duration life)
      throws GeneralSecurityException {
    KeyPair keys = newKeys();
    Instant end = now.plus(life);
    Instant last = certificate.getNotAfter().toInstant();
    if (!now.isBefore(last)) {
      throw new ConfigurationException(
          "the authority ca.crt expired at " + last + "; make another in another directory");
    }
    try {
      X509v3CertificateBuilder builder =
          builder(
              certificate.getSubjectX500Principal(),
              subject,
              now,
              end.isBefore(last) ? end : last,
              keys);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose));
      builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate.getPublicKey()));
      X509Certificate signed = sign(builder, privateKey);
      signed.verify(certificate.getPublicKey());
      return new Issued(signed, keys.getPrivate());
    } catch (SignatureException e) {
      throw new ConfigurationException(
          "ca.key is not the key of ca.crt; put the one there that was made with it", e);
    } catch (CertIOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, Instant now, Instant end, KeyPair keys)
      throws GeneralSecurityException, CertIOException {
    BigInteger serial = new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            serial,
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(end),
            subject,
            keys.getPublic());
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
    return builder;
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey signer)
      throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(signer)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
    return generator.generateKeyPair();
  }

  /** Checks names for a server's certificate. */
  static final class HostNames {

    private static final int MAX_CHARS = 253;
    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    private static final Pattern IN_BRACKETS_OR_ZONE = Pattern.compile("\\[.*|.*%.*");
    private static final Pattern DNS = Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");

    private HostNames() {}

    /** Returns whether a name is an IP address. */
    static boolean isAddress(String host) {
      return NetUtil.isValidIpV4Address(host)
          || (NetUtil.isValidIpV6Address(host) && !IN_BRACKETS_OR_ZONE.matcher(host).matches());
    }

    /**
     * Checks a name.
     *
     * @throws ConfigurationException if it is neither a DNS name nor an IP address
     */
    static void check(String host) {
      if (!isAddress(host) && (host.length() > MAX_CHARS || !DNS.matcher(host).matches())) {
        throw new ConfigurationException(
            "host is \""
                + host
                + "\", must be a DNS name or an IP address, without port, brackets or"
                + " zone");
      }
    }
  }
}
