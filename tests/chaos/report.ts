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

/** Puts a text between the marks of a section of docs/faults.md, in the repository's format. */
export async function keepSection(name: string, text: string): Promise<void> {
  const page = readFileSync(file, 'utf8');
  const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!section.test(page)) throw new Error(`docs/faults.md has no section ${name}`);
  const written = page.replace(section, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`);
  const options = await resolveConfig(file);
  writeFileSync(file, await format(written, { ...options, filepath: file }));
}

/** Writes the table of a run into docs/faults.md. */
export async function keepFaults(
  results: readonly FaultResult[],
  { args }: { args: readonly string[] },
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const rows = results.map((result) => {
    const { fault, target, slowest, recovery, problems } = result;
    const verdict = problems.length ? problems.join('; ').replaceAll('|', '\\|') : 'held';
    return `| ${fault} | ${target} | ${recovery.toFixed(1)} s | ${slowest.toFixed(1)} s | ${outcomesOf(result)} | ${verdict} |`;
  });
  const held = results.filter(({ problems }) => !problems.length).length;
  const lines = [
    `\`${['pnpm chaos', ...args].join(' ')}\`, ${day}: ${held} of ${results.length} held.`,
    '',
    '| fault | target | recovered after | slowest request | requests | outcome |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
  await keepSection('faults', lines.join('\n'));
}
