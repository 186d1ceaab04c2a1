import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { FaultResult } from './run-fault.ts';

const file = new URL('../../docs/faults.md', import.meta.url).pathname;

const outcomesOf = ({ outcomes }: FaultResult) =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');

/** A fault's result in one line of the terminal. */
export function faultLine(result: FaultResult): string {
  const { fault, target, slowest, recovery, problems } = result;
  const verdict = problems.length ? `${problems.length} PROBLEMS` : 'held';
  const figures = `recovered in ${recovery.toFixed(1)} s, slowest ${slowest.toFixed(1)} s, ${outcomesOf(result)}`;
  return `${fault.padEnd(8)}${target.padEnd(15)}${verdict.padEnd(13)}${figures}`;
}

/** The text between the marks of a section of docs/faults.md. */
const sectionOf = (name: string) => new RegExp(`(<!-- ${name} -->\n)([^]*?)(<!-- end of ${name} -->)`);

/** Puts a text between the marks of a section of docs/faults.md, in the repository's format. */
export async function keepSection(name: string, text: string): Promise<void> {
  const page = readFileSync(file, 'utf8');
  const section = sectionOf(name);
  if (!section.test(page)) throw new Error(`docs/faults.md has no section ${name}`);
  const written = page.replace(
    section,
    (_, begin: string, _text, end: string) => `${begin}\n${text}\n\n${end}`,
  );
  const options = await resolveConfig(file);
  writeFileSync(file, await format(written, { ...options, filepath: file }));
}

const cellsOf = (row: string) =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of the table in docs/faults.md, by fault and target. */
function rowsThere(): Map<string, readonly string[]> {
  const [, , text = ''] = sectionOf('faults').exec(readFileSync(file, 'utf8')) ?? [];
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map(cellsOf);
  return new Map(rows.map((cells) => [cells[0] ?? '', cells]));
}

function cellsFrom(result: FaultResult): readonly string[] {
  const { fault, target, slowest, recovery, problems } = result;
  const day = new Date().toISOString().slice(0, 10);
  return [
    `\`${fault}\` ${target}`,
    `${recovery.toFixed(1)} s, ${slowest.toFixed(1)} s`,
    outcomesOf(result),
    `${problems.length ? problems.join('; ').replaceAll('|', '\\|') : 'held'}, ${day}`,
  ];
}

const head = ['fault', 'recovery, slowest request', 'requests', 'outcome'];

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Writes the results of a run into the table of docs/faults.md; faults that the run did not try keep their rows. */
export async function keepFaults(results: readonly FaultResult[]): Promise<void> {
  const rows = rowsThere();
  for (const result of results) {
    const cells = cellsFrom(result);
    rows.set(cells[0] ?? '', cells);
  }
  const all = [...rows.values()];
  const held = all.filter((cells) => cells[3]?.startsWith('held')).length;
  const table = [line(head), line(head.map(() => '---')), ...all.map(line)];
  await keepSection(
    'faults',
    [`The last result of each: ${held} of ${all.length} held.`, '', ...table].join('\n'),
  );
}
