import { problemText } from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { readPackageData } from './prices/package-data.ts';

/**
 * `pnpm packages check [folder]`: checks packages.json, in-app-products.json and promo-codes.json, of the folder or as
 * they ship. Names every problem and ends with 1 where there is one, with 64 for another command.
 */
function main([
  command,
  folder = fileURLToPath(new URL('../data', import.meta.url)),
]: readonly string[]): number {
  if (command !== 'check') {
    const isAsked = command === '--help' || command === '-h';
    (isAsked ? process.stdout : process.stderr).write('usage: pnpm packages check [folder]\n');
    return isAsked ? 0 : 64;
  }
  try {
    const { packages, apps, promoCodes } = readPackageData(folder);
    process.stdout.write(
      `${folder}: ${packages.length} packages, ${apps.length} apps, ${promoCodes.length} promo codes, all good\n`,
    );
    return 0;
  } catch (error) {
    process.stderr.write(`${folder}:\n${problemText(error)}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
