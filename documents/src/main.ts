import { buildAsyncApi } from './asyncapi/build.ts';
import { clientTypes } from './client-types.ts';
import { buildOpenApi, differences } from './openapi/build.ts';
import { jsonText, outdated, places, write } from './write.ts';

/** `pnpm contracts` writes the documents; with `--check` it only says which are not what the code makes. */

function fail(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

async function run(isCheck: boolean): Promise<void> {
  const wrong = differences();
  if (wrong.length) return fail(wrong);
  const openApi = buildOpenApi();
  const files = {
    [places.openApi]: jsonText(openApi),
    [places.asyncApi]: jsonText(buildAsyncApi()),
    [places.types]: await clientTypes(openApi),
  };
  if (!isCheck) return write(files);
  const old = await outdated(files);
  if (old.length) fail([`not what the code makes, run pnpm contracts: ${old.join(', ')}`]);
}

await run(process.argv.includes('--check'));
