import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes data/confusables.tsv of `src/tables.rs` of the crate `unicode-security` (data/README.md):
 * `node libs/contract/tools/make-confusables.ts <tables.rs>`. Kept are letters, marks and digits as texts are compared:
 * after NFKC, and taken apart by NFD.
 */
const [, , source = ''] = process.argv;
const table = /mod confusable_detection[^]*?CONFUSABLES:[^[]*\[[^[]*\[([^]*?)\n {4}\];/.exec(
  readFileSync(source, 'utf8'),
);
if (!table) throw new Error(`${source} has no table of confusables`);

const character = (escape: string) => String.fromCodePoint(Number.parseInt(escape, 16));
const entries = [...(table[1] ?? '').matchAll(/\('\\u\{(\w+)\}',\s*&\[([^\]]*)\]\)/g)].map(
  ([, from, to]) => ({
    from: character(from ?? ''),
    to: [...(to ?? '').matchAll(/\\u\{(\w+)\}/g)].map(([, escape]) => character(escape ?? '')).join(''),
  }),
);

const isCompared = (text: string) =>
  /^[\p{L}\p{M}\p{N}]$/u.test(text) && text.normalize('NFKC').normalize('NFD') === text;
const alike = new Map<string, string[]>();
for (const { from, to } of entries.filter(({ from }) => isCompared(from))) {
  alike.set(to, [...(alike.get(to) ?? []), from]);
}
const lines = [...alike].map(([to, from]) => `${to}\t${from.join('')}\n`);
writeFileSync(join(import.meta.dirname, '../data/confusables.tsv'), lines.join(''));
process.stdout.write(`${entries.length} confusables, ${lines.length} lines\n`);
