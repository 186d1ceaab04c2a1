import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { extname, join, relative } from 'node:path';
import { storedFile, type OwnPage, type OwnPages } from './stored-file.ts';

interface ConsoleConfig {
  readonly CONSOLE_DIR?: string | undefined;
  readonly CONSOLE_CLIENT_ID?: string | undefined;
  readonly PUBLIC_URL: string;
  readonly AUTH_PUBLIC_URL?: string | undefined;
}

const base = '/console';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The placeholder that the build writes for the nonce, which differs for each response. */
const noncePlace = 'NONCE_OF_STYLES';

/** A page of the console: it shows the application, which knows its pages. Files have a dot in their name. */
const isPage = /^\/console(?:\/[\w-]+)*$/;

const common: OutgoingHttpHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Own scripts only. Style elements, which the component library inserts, carry the nonce; style attributes are refused. */
const policyOf = (nonce: string, authUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${authUrl}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page that loads the application; it is never stored, because its nonce counts once. */
function indexPage(html: string, authUrl: string): OwnPage['answer'] {
  return (request, answer) => {
    const nonce = randomBytes(16).toString('base64');
    const body = Buffer.from(html.replaceAll(noncePlace, nonce));
    answer.begin(200, {
      ...common,
      'Content-Type': types['.html'],
      'Content-Length': body.length,
      'Content-Security-Policy': policyOf(nonce, authUrl),
      'Cache-Control': 'no-store',
    });
    answer.end(request.method === 'HEAD' ? undefined : body);
  };
}

/** Reads the files below a folder, by their path at the gateway. */
function readFolder(folder: string): Map<string, Buffer> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    found.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [`${base}/${relative(folder, file)}`, readFileSync(file)];
    }),
  );
}

/**
 * The web application of staff, from a folder that is read once: no path can name anything else. Undefined for every path without
 * CONSOLE_DIR and CONSOLE_CLIENT_ID. The names of files under `assets` contain a hash of their content.
 */
export function createConsole(config: ConsoleConfig): OwnPages {
  const { CONSOLE_DIR, CONSOLE_CLIENT_ID, PUBLIC_URL, AUTH_PUBLIC_URL = PUBLIC_URL } = config;
  if (!CONSOLE_DIR || !CONSOLE_CLIENT_ID) return () => undefined;
  const settings = { base_url: PUBLIC_URL, auth_url: AUTH_PUBLIC_URL, client_id: CONSOLE_CLIENT_ID };
  const files = readFolder(CONSOLE_DIR);
  const html = files.get(`${base}/index.html`);
  if (!html) throw new Error(`CONSOLE_DIR ${CONSOLE_DIR} has no index.html: build the console`);
  files.delete(`${base}/index.html`);
  files.set(`${base}/settings.json`, Buffer.from(JSON.stringify(settings)));
  const pages = new Map(
    [...files].map(([path, content]): [string, OwnPage] => {
      const hashed = path.startsWith(`${base}/assets/`);
      const caching = hashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      const type = types[extname(path)] ?? 'application/octet-stream';
      const headers = { ...common, 'Cache-Control': caching };
      const answer = storedFile({ type, content, headers });
      return [path, { name: `${base}/*`, forAll: false, answer }];
    }),
  );
  const index = { name: base, forAll: false, answer: indexPage(html.toString('utf8'), AUTH_PUBLIC_URL) };
  return (path) => pages.get(path) ?? (isPage.test(path) ? index : undefined);
}
