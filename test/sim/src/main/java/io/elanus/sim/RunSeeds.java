package io.elanus.sim;

/// Runs seeds one after another and prints what each showed.
public final class RunSeeds {
  private RunSeeds() {}

  /// `RunSeeds FIRST LAST [MUTATION]`
  public static void main(String[] args) {
    Mutation mutation = args.length > 2 ? Mutation.valueOf(args[2]) : Mutation.NONE;
    long bad = 0;
    for (long seed = Long.parseLong(args[0]); seed <= Long.parseLong(args[1]); seed++) {
      Simulation.Outcome outcome = Simulation.run(seed, mutation);
      System.out.println(outcome);
      bad += outcome.violations().isEmpty() ? 0 : 1;
      if (bad > 0 && mutation != Mutation.NONE) {
        break; // It is found.
      }
    }
    System.out.println(bad + " seeds with violations");
  }
}
