import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { faults, type FaultName } from './faults.ts';
import { targetsOf, type Form } from './options.ts';
import type { FaultResult } from './run-fault.ts';

const file = new URL('../../docs/faults.md', import.meta.url).pathname;

const outcomesOf = ({ outcomes }: FaultResult) =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');

/** A fault's result in one line of the terminal. */
export function faultLine(result: FaultResult): string {
  const { fault, target, slowest, recovery, outage, problems } = result;
  const verdict = problems.length ? `${problems.length} PROBLEMS` : 'held';
  const away = outage === undefined ? '' : `503 for ${outage.toFixed(1)} s, `;
  const figures = `recovered in ${recovery.toFixed(1)} s, slowest ${slowest.toFixed(1)} s, ${away}${outcomesOf(result)}`;
  return `${fault.padEnd(8)}${target.padEnd(15)}${verdict.padEnd(13)}${figures}`;
}

/** The text between the markers of a section of docs/faults.md. */
const sectionOf = (name: string) =>
  new RegExp(`(<!-- generated: ${name} -->\n)([^]*?)(<!-- end of generated -->)`);

/** Replaces a section of docs/faults.md and formats the page. */
export function keepSection(name: string, text: string): void {
  const page = readFileSync(file, 'utf8');
  const section = sectionOf(name);
  if (!section.test(page)) throw new Error(`docs/faults.md has no section ${name}`);
  const written = page.replace(
    section,
    (_, begin: string, _text, end: string) => `${begin}\n${text}\n\n${end}`,
  );
  writeFileSync(file, written);
  execFileSync('oxfmt', [file]);
}

/** The rows of the table in docs/faults.md, by fault. */
function rowsThere(): Map<string, string> {
  const [, , text = ''] = sectionOf('faults').exec(readFileSync(file, 'utf8')) ?? [];
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(rows.map((row) => [row.split('`')[1] ?? '', row]));
}

const longest = (seconds: readonly number[]) => `${Math.max(...seconds).toFixed(1)} s`;

/** The table row of one fault with all of its targets. */
function rowOf(name: string, results: readonly FaultResult[]): string {
  const problems = results.flatMap(({ target, problems: found, announced }) => [
    ...found.map((one) => `${target}: ${one}`),
    ...announced.map((one) => `${target}, announced: ${one}`),
  ]);
  const held = results.filter((result) => !result.problems.length).length;
  const day = new Date().toISOString().slice(0, 10);
  const outages = results.flatMap(({ outage }) => outage ?? []);
  const outcome = `${held} of ${results.length} held`;
  const away = outages.length ? `, 503 for ${longest(outages)}` : '';
  return line([
    `\`${name}\``,
    longest(results.map(({ recovery }) => recovery)),
    longest(results.map(({ slowest }) => slowest)),
    [`${outcome}${away}, ${day}`, ...problems].join('; ').replaceAll('|', '\\|'),
  ]);
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const head = ['fault', 'slowest recovery', 'slowest request', 'outcome'];

const suffixOf = ({ processes, clusters }: Form): string => {
  if (clusters.length) return ` --clustered ${clusters.join(',')}`;
  return processes > 1 ? ` --processes ${processes}` : '';
};

/** Writes the rows of faults that ran on all of their targets; other rows stay. */
export function keepFaults(results: readonly FaultResult[], form: Form): void {
  const rows = rowsThere();
  for (const fault of Object.keys(faults) as FaultName[]) {
    const tried = results.filter((result) => result.fault === fault);
    const name = `${fault}${suffixOf(form)}`;
    if (tried.length && tried.length >= targetsOf(fault, form).length) rows.set(name, rowOf(name, tried));
  }
  keepSection('faults', [line(head), line(head.map(() => '---')), ...rows.values()].join('\n'));
}
