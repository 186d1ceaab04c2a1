import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Finds comments that do not name the thing they describe: those that begin with one of the words below. Write
 * a noun phrase, or a verb for a function. Prints each place; exits with 1 if there is one.
 */

const comment = /(?:\/\*\*?|\/\/|^\s*\*) (?:What|Who|Whom|Whose|Whoever|That)\b/;

/** Generated files. */
const exempt = ['libs/client/src/api.ts', 'gateway/src/routing/service-routes.ts'];

const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.js', '*.mjs', '*.cjs'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file && !exempt.includes(file));
const places = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (comment.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
);

for (const place of places) process.stderr.write(`${place.slice(0, 200)}\n`);
if (places.length) process.stderr.write('Begin the comment with the name of the thing.\n');
process.exitCode = places.length ? 1 : 0;
