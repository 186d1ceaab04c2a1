import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Finds references that do not resolve in this repository: decision numbers (a D or P and digits) and
 * sections of the interface text. State the rule itself, or link to a page of docs/. Prints each place; exits
 * with 1 if there is one.
 */

const reference = /\b(?:D\d{1,3}|P\d{1,3}|spec(?:ification)? \d+(?:\.\d+)*)\b/;

/** Generated files. */
const exempt = ['pnpm-lock.yaml'];
const texts = /(?:\.(?:ts|mjs|cjs|js|java|json|ya?ml|md|sh|example|env)|Dockerfile)$/;

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => texts.test(file) && !exempt.includes(file));
const places = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (reference.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
);

for (const place of places) process.stderr.write(`${place.slice(0, 200)}\n`);
if (places.length) process.stderr.write('State the rule itself: these references lead nowhere.\n');
process.exitCode = places.length ? 1 : 0;
