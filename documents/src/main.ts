import { clientTypes } from './client-types.ts';
import { buildOpenApi } from './openapi/build.ts';
import { writtenFiles } from './pages.ts';
import { outdated, write } from './write.ts';

/** `pnpm contracts` writes the documents; with `--check` it only reports those that are out of date. */

const openApi = buildOpenApi();
const files = { ...(await writtenFiles(openApi)), 'libs/client/src/api.ts': await clientTypes(openApi) };

if (process.argv.includes('--check')) {
  const old = await outdated(files);
  if (old.length) {
    process.stderr.write(`out of date, run pnpm contracts: ${old.join(', ')}\n`);
    process.exitCode = 1;
  }
} else await write(files);
