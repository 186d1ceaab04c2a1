import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { storedFile, type OwnPage, type OwnPages } from './stored-file.ts';

/** The page loads from this origin only; its script sets its styles. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On phones, shows the list of operations above the content, which RapiDoc hides there, and narrows page and buttons. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Covalence: the interface</title>
<link rel="icon" href="data:,">
<style>
@media (max-width: 767px) {
  rapi-doc { min-width: 0; }
  rapi-doc::part(btn) { min-width: 0 !important; width: auto !important; white-space: normal; }
  rapi-doc::part(section-navbar) { display: flex; position: fixed; inset: 0 0 auto; width: auto; height: 40vh; }
  rapi-doc::part(section-main-content) { position: fixed; inset: 40vh 0 auto; box-sizing: border-box; height: 60vh; padding: 0 8px; }
}
</style>
<script src="/docs/rapidoc.js" defer></script>
</head>
<body>
<rapi-doc spec-url="/openapi.json" render-style="focused" theme="light" load-fonts="false" show-header="false"
 allow-try="false" allow-authentication="false" allow-server-selection="false" allow-spec-file-download="true"
 schema-style="table" schema-description-expanded="true" regular-font="system-ui, sans-serif"
 mono-font="ui-monospace, monospace" primary-color="#9c2c4f" nav-bg-color="#f7f4f2"></rapi-doc>
</body>
</html>
`;

/** Written by `pnpm contracts`; served without line breaks. */
const written = (name: string): string =>
  JSON.stringify(JSON.parse(readFileSync(new URL(`../../documents/${name}`, import.meta.url), 'utf8')));

const json = 'application/json; charset=utf-8';

const sources: Readonly<Record<string, () => readonly [type: string, text: string]>> = {
  '/openapi.json': () => [json, written('openapi.json')],
  '/asyncapi.json': () => [json, written('asyncapi.json')],
  '/docs': () => ['text/html; charset=utf-8', page],
  '/docs/rapidoc.js': () => [
    'text/javascript; charset=utf-8',
    readFileSync(createRequire(import.meta.url).resolve('rapidoc'), 'utf8'),
  ],
};

/** The paths of the documents; the OpenAPI document names them too. */
export const documentPaths: readonly string[] = Object.keys(sources);

const headers = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': pagePolicy,
  'Referrer-Policy': 'no-referrer',
};

/** Reads the API documents; throws if one is missing. */
export function createDocuments(): OwnPages {
  const documents = new Map(
    Object.entries(sources).map(([path, read]): [string, OwnPage] => {
      const [type, text] = read();
      return [
        path,
        { name: path, forAll: true, answer: storedFile({ type, content: Buffer.from(text), headers }) },
      ];
    }),
  );
  return (path) => documents.get(path);
}
