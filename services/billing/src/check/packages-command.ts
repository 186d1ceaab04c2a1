import { action, type Command } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import { problemText } from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { readPackageData } from '../prices/package-data.ts';

const shipped = fileURLToPath(new URL('../../data', import.meta.url));

function readFrom(folder: string) {
  try {
    return readPackageData(folder);
  } catch (error) {
    throw new CommandError(`${folder}:\n${problemText(error)}`);
  }
}

/** Adds `packages check`, which finds the keys of stores in `environment`. */
export function addPackagesCommands(program: Command, environment: () => NodeJS.ProcessEnv): void {
  program
    .command('packages')
    .description('membership packages, in-app products and promo codes')
    .command('check')
    .argument('[folder]', 'folder of the three files; by default PACKAGES_DIR, else the one of the service')
    .description('list every problem of packages, products and promo codes, also at stores with a key')
    .addHelpText('after', '\nAsks the stores whose keys the environment has.')
    .action(
      action(async ({ args: [given], output }) => {
        const folder = given ?? (environment()['PACKAGES_DIR'] || shipped);
        const data = readFrom(folder);
        const { packages, apps, promoCodes } = data;
        const counts = { packages: packages.length, apps: apps.length, promo_codes: promoCodes.length };
        output.line(
          `${folder}: ${counts.packages} packages, ${counts.apps} apps, ${counts.promo_codes} promo codes, all valid`,
        );
        // Loaded here, because the clients of stores are large.
        const { compareWithStores } = await import('./compare-with-stores.ts');
        const stores = await compareWithStores(data, environment(), output);
        output.data({ folder, ...counts, stores });
        return stores.every(({ problems }) => problems.length === 0);
      }),
    );
}
