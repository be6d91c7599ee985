package io.elanus.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.help.HelpFormatter;
import org.jspecify.annotations.Nullable;

/// What `elanus standalone` was asked for.
///
/// Immutable.
///
/// @param data folder of everything stored
/// @param config a YAML file of settings, or null
/// @param set settings given one by one, the shorthand options among them
record StandaloneOptions(Path data, @Nullable Path config, Map<String, String> set) {
  static final String COMMAND = "standalone";

  /// Options that are short for a setting.
  private static final Map<String, String> SHORTHANDS =
      Map.of(
          "port", "proxy.port",
          "management-port", "common.http.managementPort",
          "bind", "proxy.bind");

  private static final Options OPTIONS =
      new Options()
          .addOption(
              option("data", "FOLDER", "Where everything is stored (default: ./elanus-data)."))
          .addOption(
              option("port", "N", "Client port, gRPC and REST (default: 19530; 0: a free one)."))
          .addOption(
              option(
                  "management-port",
                  "N",
                  "Health, metrics and status page (default: 9091; 0: a free one; -1: none)."))
          .addOption(option("bind", "ADDRESS", "Address to listen on (default: 127.0.0.1)."))
          .addOption(
              option(
                  "config",
                  "FILE",
                  "Settings in YAML, as in milvus.yaml; keys that are not known only warn."))
          .addOption(
              option(
                  "set",
                  "KEY=VALUE",
                  "One setting; wins over the file. May be given more than once."))
          .addOption(Option.builder("h").longOpt("help").desc("Shows this help.").get());

  StandaloneOptions {
    set = Map.copyOf(set);
  }

  private static Option option(String name, String value, String what) {
    return Option.builder().longOpt(name).hasArg().argName(value).desc(what).get();
  }

  /// Reads the arguments; none when help was asked for.
  static Optional<StandaloneOptions> parse(List<String> args) throws UsageException {
    CommandLine line;
    try {
      // Whole names only: an abbreviation that works today would be ambiguous with tomorrow's
      // option.
      line = new DefaultParser(false).parse(OPTIONS, args.toArray(new String[0]));
    } catch (ParseException e) {
      throw new UsageException(String.valueOf(e.getMessage()), COMMAND);
    }
    if (line.hasOption("help")) {
      return Optional.empty();
    }
    if (!line.getArgList().isEmpty()) {
      throw new UsageException(
          "unexpected argument '" + line.getArgList().getFirst() + "'", COMMAND);
    }
    Map<String, String> set = new LinkedHashMap<>();
    String[] given = line.getOptionValues("set");
    for (String pair : given == null ? new String[0] : given) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--set needs KEY=VALUE, got '" + pair + "'", COMMAND);
      }
      set.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    SHORTHANDS.forEach((option, key) -> {
      String value = line.getOptionValue(option);
      if (value != null) {
        set.put(key, value);
      }
    });
    String config = line.getOptionValue("config");
    return Optional.of(
        new StandaloneOptions(
            Path.of(line.getOptionValue("data", "./elanus-data")),
            config == null ? null : Path.of(config),
            set));
  }

  static void printHelp() {
    try {
      HelpFormatter.builder()
          .setShowSince(false)
          .get()
          .printHelp(
              "elanus standalone [OPTIONS]",
              "Runs a whole server in one process; stops cleanly on SIGTERM or Ctrl-C.",
              OPTIONS,
              "",
              false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
