package io.elanus.role.proxy.api;

import java.util.List;

/// A value for a `{name}` in a filter.
///
/// Immutable.
public sealed interface TemplateArgument {
  record Bool(boolean value) implements TemplateArgument {}

  record Whole(long value) implements TemplateArgument {}

  record Real(double value) implements TemplateArgument {}

  record Text(String value) implements TemplateArgument {}

  record Many(List<TemplateArgument> values) implements TemplateArgument {}
}
