import { buildAsyncApi } from './async-api.ts';
import { clientTypes } from './client-types.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import { buildOpenApi } from './openapi/build.ts';
import { writtenPages } from './pages.ts';
import { jsonText, outdated, places, write } from './write.ts';

/** `pnpm contracts` writes the documents; with `--check` it only reports those that are out of date. */

async function run(isCheck: boolean): Promise<void> {
  const openApi = buildOpenApi();
  const files = {
    [places.routes]: gatewayRoutes(),
    [places.openApi]: jsonText(openApi),
    [places.asyncApi]: jsonText(buildAsyncApi()),
    [places.types]: await clientTypes(openApi),
    ...(await writtenPages(openApi)),
  };
  if (!isCheck) return write(files);
  const old = await outdated(files);
  if (!old.length) return;
  process.stderr.write(`out of date, run pnpm contracts: ${old.join(', ')}\n`);
  process.exitCode = 1;
}

await run(process.argv.includes('--check'));
