package io.elanus.dist;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/// Logs: warnings to stderr, and, once the data folder is this server's, everything from INFO on to
/// `logs/elanus.log` there (four files of 16 MB). Set up in code, for a configuration file costs
/// start-up time. `ELANUS_LOG_LEVEL` sets another level for the file.
///
/// Confined to the main thread.
final class Logging {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %logger{24} %msg %kvp%n";

  private Logging() {}

  /// Before anything logs.
  static void toConsole() {
    LoggerContext context = context();
    context.reset();
    Logger root = root(context);
    String level = System.getenv("ELANUS_LOG_LEVEL");
    root.setLevel(
        Level.toLevel(level == null ? "INFO" : level.toUpperCase(Locale.ROOT), Level.INFO));
    for (String loud : new String[] {"io.netty", "io.grpc"}) {
      context.getLogger(loud).setLevel(Level.WARN);
    }
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder(context));
    ThresholdFilter warnings = new ThresholdFilter();
    warnings.setLevel("WARN");
    warnings.start();
    console.addFilter(warnings);
    console.start();
    root.addAppender(console);
  }

  /// Only for a folder whose lock this process holds.
  static void toFile(Path data) {
    LoggerContext context = context();
    root(context).addAppender(file(context, data.resolve("logs")));
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  private static Logger root(LoggerContext context) {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private static RollingFileAppender<ILoggingEvent> file(LoggerContext context, Path folder) {
    RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
    file.setContext(context);
    file.setFile(folder.resolve("elanus.log").toString());
    file.setEncoder(encoder(context));
    FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(file);
    rolling.setFileNamePattern(folder.resolve("elanus.%i.log").toString());
    rolling.setMinIndex(1);
    rolling.setMaxIndex(3);
    rolling.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(FileSize.valueOf("16MB"));
    size.start();
    file.setRollingPolicy(rolling);
    file.setTriggeringPolicy(size);
    file.start();
    return file;
  }

  private static PatternLayoutEncoder encoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.start();
    return encoder;
  }
}
