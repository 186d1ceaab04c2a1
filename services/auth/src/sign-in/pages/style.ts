import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The script of every page, which adds what HTML cannot do. The same relative path from src and dist. */
export const script = readFileSync(new URL('../../../data/page.js', import.meta.url), 'utf8');

/** The style of every page: system fonts, no requests, both color schemes, AA contrast. */
export const style = `
:root{color-scheme:light dark;--ink:#1d2430;--soft:#566072;--page:#f3f4f7;--card:#fff;--line:#7b8494;--accent:#9c2f5f;--on:#fff;--bad:#a3161a;--badbg:#fdecec}
.hue-1{--accent:#1f5f8b}.hue-2{--accent:#7a3fa0}.hue-3{--accent:#1d6b52}.hue-4{--accent:#a3412a}.hue-5{--accent:#4b4fa8}
@media(prefers-color-scheme:dark){:root{--ink:#eef0f4;--soft:#b3bac7;--page:#14171d;--card:#1f242d;--line:#8a93a3;--bad:#ffb4b0;--badbg:#45191b}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
.bar{background:var(--accent);color:var(--on);padding:1rem;text-align:center;font-weight:600;font-size:1.125rem}
main{max-width:26rem;margin:0 auto;padding:1.25rem}
@media(min-width:40rem){main{margin-top:3rem;background:var(--card);border-radius:.75rem;padding:2rem}}
h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 1rem}
h3{font-size:1rem;margin:1.5rem 0 0}
h2{font-size:1.125rem;line-height:1.25;margin:2rem 0 0}
label,legend{display:block;font-weight:600;margin:1rem 0 .25rem}
input,select,textarea{width:100%;min-height:3rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
button,a.button{width:100%;min-height:3rem;padding:.5rem 1rem;margin-top:1.5rem;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:0;border-radius:.5rem;cursor:pointer}
button.plain,a.button.plain{background:transparent;color:var(--ink);border:1px solid var(--line);margin-top:.75rem}
a.button{text-align:center;text-decoration:none;line-height:2rem}
section+section{margin-top:2rem}
fieldset{border:0;padding:0;margin:0}
[hidden]{display:none!important}
label.box{display:flex;align-items:flex-start;gap:.5rem;font-weight:400;margin:.75rem 0}
label.box input{flex:none;width:1.5rem;min-height:1.5rem;margin:0}
input[readonly]{padding-left:0;background:none;border-color:transparent}
[aria-invalid=true]{border:2px solid var(--bad)}
.wrong{color:var(--bad);font-weight:600;margin:.25rem 0 0}
footer{text-align:center;padding:0 1rem 1rem}
input:focus-visible,select:focus-visible,textarea:focus-visible,button:focus-visible,a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.problem{background:var(--badbg);color:var(--bad);border-left:.25rem solid;padding:.75rem 1rem;border-radius:.25rem;margin:0 0 1rem}
.done{background:var(--card);border:1px solid var(--line);border-left:.25rem solid var(--accent);padding:.75rem 1rem;border-radius:.25rem;margin:0 0 1rem}
.note{color:var(--soft)}
.qr{background:#fff;border-radius:.5rem;width:13rem;max-width:100%;margin:0 auto}
.qr svg{display:block;width:100%}
.code{font-family:ui-monospace,monospace;text-align:center;margin:.25rem 0}
.codes{list-style:none;padding:0}
summary{cursor:pointer;min-height:3rem;padding:.75rem 0;margin-top:.75rem}
.small{font-size:.875rem;margin:.5rem 0 0}
.aside{margin:1.5rem 0 0;text-align:center}
a{color:var(--ink);display:inline-block;padding:.5rem}
`;

/** Source expression of an inline style sheet or script. */
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const [styleHash, scriptHash] = [hashOf(style), hashOf(script)];

/** Source expression of a URL: its origin, or its scheme for apps and IPv6 addresses, which policies do not support. */
function sourceOf(uri: string): string {
  const { origin, protocol, hostname } = new URL(uri);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}

/** Targets of forms: this server and the client's redirect URIs, because browsers apply `form-action` to redirects too. */
const formTargets = (redirectUris: readonly string[]): string =>
  ["'self'", ...new Set(redirectUris.map(sourceOf))].join(' ');

/** Headers of every page: own style and script only, no frames, no cache. Pages of a sign-in pass their client's redirect URIs. */
export function pageHeaders(redirectUris: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `script-src ${scriptHash}`,
    `form-action ${formTargets(redirectUris)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}
