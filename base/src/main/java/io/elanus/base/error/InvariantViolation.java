package io.elanus.base.error;

/// A broken invariant: the state of the component that threw it can't be trusted any more.
public final class InvariantViolation extends IllegalStateException {
  private static final long serialVersionUID = 1;

  public InvariantViolation(String message) {
    super(message);
  }
}
