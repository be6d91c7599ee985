package io.elanus.server.node;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An address that the server is told to listen on, tried out before anything is stored or
/// recovered: a start that has to be refused leaves no trace and costs no recovery.
///
/// Immutable.
///
/// @param purpose `client` or `management`
/// @param host as `proxy.bind` gives it
/// @param port 0 for a free one
/// @param option the command line's option that changes the port
record ListenAddress(String purpose, String host, int port, String option) {

  /// Opens and closes the port. Another process may still take it before the server does.
  ///
  /// @throws StartupException saying what is wrong with the address
  void check() throws StartupException {
    InetAddress address = resolve();
    try (ServerSocket probe = new ServerSocket()) {
      // As the server itself does: connections of an earlier server that linger are no obstacle.
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private InetAddress resolve() throws StartupException {
    try {
      if (!host.isEmpty()) {
        return InetAddress.getByName(host);
      }
    } catch (UnknownHostException e) {
      throw noAddress(e);
    }
    throw noAddress(null);
  }

  private StartupException noAddress(@Nullable UnknownHostException cause) {
    return new StartupException(
        "can't listen on '"
            + host
            + "': not an address or a known host name; give one of this machine with --bind, for"
            + " example 127.0.0.1",
        cause);
  }

  /// Why the port could not be opened.
  StartupException refused(IOException cause) {
    String where = purpose + " port " + host + ":" + port;
    String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("cannot assign")) {
      return new StartupException(
          "can't listen on " + host + ": not an address of this machine; give another with --bind",
          cause);
    }
    if (message.contains("permission denied")) {
      return new StartupException(
          where + " needs rights that this user does not have; choose another with " + option,
          cause);
    }
    if (cause instanceof BindException || message.contains("in use")) {
      return new StartupException(
          where
              + " is taken (is another server running?); stop it or choose another with "
              + option,
          cause);
    }
    return new StartupException(where + " can't be opened: " + cause.getMessage(), cause);
  }
}
