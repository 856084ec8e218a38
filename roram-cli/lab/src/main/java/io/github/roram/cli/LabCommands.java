package io.github.roram.cli;

import java.util.List;

/** The commands of the laboratory: what measures, plans and audits. An operator needs none. */
public final class LabCommands implements CommandProvider {

  @Override
  public List<Class<?>> commands() {
    return List.of(
        DemoCommand.class,
        ReplayCommand.class,
        LoadCommand.class,
        PlanCommand.class,
        ExperimentCommand.class,
        AuditCommand.class);
  }
}
