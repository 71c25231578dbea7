package dev.weir.workflow.yarn;

import com.sun.net.httpserver.Headers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which HTTP requests to an ApplicationMaster are answered: those that YARN's web proxy
 * passes on, as Hadoop's AmIpFilter does. If YARN checks ACLs, only for the owner, YARN's
 * administrators and the application's viewers. The proxy names its user in a cookie.
 */
public final class ProxyAccess {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyAccess.class);
  private static final String USER_COOKIE = "proxy-user=";

  private final Set<InetAddress> proxies;
  private final boolean checksUsers;
  private final String owner;
  private final List<AccessControlList> readers;

  ProxyAccess(
      Set<InetAddress> proxies,
      boolean checksUsers,
      String owner,
      List<AccessControlList> readers) {
    this.proxies = Set.copyOf(proxies);
    this.checksUsers = checksUsers;
    this.owner = owner;
    this.readers = List.copyOf(readers);
  }

  /**
   * Returns the access to the application of a user.
   *
   * @param viewers users and groups who may view it, as in YARN's access control lists
   */
  public static ProxyAccess of(Configuration conf, String owner, String viewers) {
    Set<InetAddress> proxies = new HashSet<>();
    List<String> addresses = new ArrayList<>(WebAppUtils.getProxyHostsAndPortsForAmFilter(conf));
    // YARN replaces the loopback address of a cluster on one machine by its name.
    addresses.add(
        conf.getTrimmed(
            YarnConfiguration.RM_WEBAPP_ADDRESS, YarnConfiguration.DEFAULT_RM_WEBAPP_ADDRESS));
    for (String address : addresses) {
      int colon = address.lastIndexOf(':');
      String host = colon < 0 ? address : address.substring(0, colon);
      try {
        proxies.addAll(List.of(InetAddress.getAllByName(host)));
      } catch (UnknownHostException e) {
        LOG.warn("The web proxy {} is unknown here, so it cannot show the runs", host);
      }
    }
    boolean checksUsers =
        conf.getBoolean(
                YarnConfiguration.YARN_ACL_ENABLE, YarnConfiguration.DEFAULT_YARN_ACL_ENABLE)
            || UserGroupInformation.isSecurityEnabled();
    return new ProxyAccess(
        proxies,
        checksUsers,
        owner,
        List.of(
            new AccessControlList(
                conf.get(
                    YarnConfiguration.YARN_ADMIN_ACL, YarnConfiguration.DEFAULT_YARN_ADMIN_ACL)),
            new AccessControlList(viewers)));
  }

  /** Returns whether a request is answered. */
  public boolean allows(InetSocketAddress from, Headers headers) {
    InetAddress address = from.getAddress();
    boolean isProxy =
        proxies.contains(address)
            // A connection over loopback may have any loopback address as its source.
            || (address.isLoopbackAddress()
                && proxies.stream().anyMatch(InetAddress::isLoopbackAddress));
    if (!isProxy) {
      return false;
    }
    String user = user(headers);
    return !checksUsers || user.equals(owner) || (!user.isEmpty() && isReader(user));
  }

  private boolean isReader(String user) {
    UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
    return readers.stream().anyMatch(list -> list.isUserAllowed(caller));
  }

  private static String user(Headers headers) {
    for (String line : headers.getOrDefault("Cookie", List.of())) {
      for (String cookie : line.split(";", -1)) {
        String text = cookie.strip();
        if (text.startsWith(USER_COOKIE)) {
          return URLDecoder.decode(text.substring(USER_COOKIE.length()), StandardCharsets.UTF_8);
        }
      }
    }
    return "";
  }
}
