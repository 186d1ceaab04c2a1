import { runServiceCommand } from '@covalence/migrations/migrate-command';
import { addIndexCommands } from './workbench/index-command.ts';
import { addJudgmentsCommands } from './judgments/judgments-command.ts';
import { addRelevanceCommand } from './workbench/relevance-command.ts';
import { addExperimentCommands } from './workbench/experiment-command.ts';
import { addSettingsCommands } from './workbench/settings-command.ts';
import { addUsageCommands } from './workbench/usage-command.ts';
import { openMigrations } from './open-migrations.ts';

/** The `covalence` command of this service's image. */
await runServiceCommand('search', openMigrations, (program, environment) => {
  addIndexCommands(program, { environment });
  addSettingsCommands(program, { environment });
  addRelevanceCommand(program, { environment });
  addUsageCommands(program, { environment });
  addExperimentCommands(program, { environment });
  addJudgmentsCommands(program, { environment });
});
