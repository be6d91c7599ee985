package io.elanus.base.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The documented key of a configuration record's component, e.g. `common.gracefulTime`.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.FIELD})
public @interface Key {
  String value();

  /// Default, in the form a file would hold it (`200ms`, `1024`, `true`).
  String defaultValue();

  /// One sentence for the reference page.
  String doc();

  /// Unit of a bare number (`ms`, `s`, `MB`, `rows`); empty when there is none. A duration has one.
  String unit() default "";

  /// Least value of a number or duration, in the default's form. Empty stands for 1, 0 for a
  /// `double`, a millisecond for a duration: what is 0 or below means something only where a key
  /// says so.
  String min() default "";

  /// Greatest value, in the default's form; empty for none.
  String max() default "";

  /// Other spellings that are accepted too.
  String[] aliases() default {};
}
