import { asksForHelp } from '@covalence/runtime/tool-help';
import { parts, serviceNames } from '@covalence/stack/services/service-name';
import { runPartTool } from './part-tool.ts';

const databases = serviceNames.filter((name) => parts[name].needs.some((engine) => engine === 'mongodb'));

/**
 * `pnpm migrate`: the migration tool of every part with a database, one after the other; ends at the first that fails, but for
 * `status`, which tells of all. Resolves with the first exit code that is not 0.
 */
export async function migrate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  // Each would say the same.
  const asked = asksForHelp(args) ? databases.slice(0, 1) : databases;
  let failed = 0;
  for (const part of asked) {
    const code = await runPartTool({ part, file: 'migrate-cli.js', args }, environment);
    failed ||= code;
    if (failed && !args.includes('status')) break;
  }
  return failed;
}
