package io.github.roram.netserver.tls;

import io.github.roram.netserver.ClientIdentity;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Finds the identity of a certificate's holder: the NAME in the alternative name {@code
 * roram:NAME}, a URI, or the common name if there is no such URI.
 *
 * <p><b>Security.</b> Only for certificates that TLS has verified. A certificate with no name, or
 * with several, has no identity, and the connection is refused.
 */
public final class CertificateIdentity {

  /** Prefix of the URI. */
  static final String URI_PREFIX = "roram:";

  private static final int URI_NAME = 6;

  private CertificateIdentity() {}

  /** Returns the identity, if the certificate names exactly one. */
  public static Optional<ClientIdentity> of(X509Certificate certificate) {
    try {
      List<String> names = uriNames(certificate);
      if (names.isEmpty()) {
        names = commonNames(certificate);
      }
      return names.size() == 1 && ClientIdentity.isName(names.get(0))
          ? Optional.of(new ClientIdentity(names.get(0)))
              .filter(i -> !i.equals(ClientIdentity.ANONYMOUS))
          : Optional.empty();
    } catch (CertificateParsingException | InvalidNameException e) {
      return Optional.empty();
    }
  }

  private static List<String> uriNames(X509Certificate certificate)
      throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    if (names == null) {
      return List.of();
    }
    return names.stream()
        .filter(name -> name.get(0).equals(URI_NAME))
        .map(name -> name.get(1).toString())
        .filter(uri -> uri.startsWith(URI_PREFIX))
        .map(uri -> uri.substring(URI_PREFIX.length()))
        .toList();
  }

  private static List<String> commonNames(X509Certificate certificate) throws InvalidNameException {
    return new LdapName(certificate.getSubjectX500Principal().getName())
        .getRdns().stream()
            .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
            .map(Rdn::getValue)
            .map(Object::toString)
            .toList();
  }
}
