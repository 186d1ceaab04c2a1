import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isQuick } from '../effort.ts';
import { startBenchEngines } from '../engines.ts';
import { stopShared } from '../system.ts';
import { inputsSchema, readInputs, type Inputs } from './inputs.ts';
import { readSocketTables, shardTable } from './engine-tables.ts';
import { readChecked, readFigures, readMeasured, save } from './measured.ts';
import { size, type Basis } from './sizing.ts';
import type { Table } from './table.ts';
import { checkTable, limitTable, sizeTables, usualMembers } from './tables.ts';

const help = `pnpm bench capacity                 what 10 thousand to 100 million members need, and what breaks first
pnpm bench capacity --members 3e6   what so many need; each input is an option (below), or in a file: --inputs my.json
pnpm bench capacity --json          the same as JSON
pnpm bench capacity --measure       measures again what it is calculated from, in about ten minutes
pnpm bench capacity --check         measures one system under a mixed load, and compares
`;

const scalars = Object.entries(inputsSchema.shape).filter(
  ([name]) => typeof readInputs()[name as keyof Inputs] === 'number',
);

const flags = ['measure', 'check', 'json', 'help', 'quick'];
const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries([
  ...[...scalars.map(([name]) => name), 'inputs'].map((name) => [name, { type: 'string' }] as const),
  ...flags.map((name) => [name, { type: 'boolean' }] as const),
]);

function print({ title, header, rows, notes = [] }: Table): void {
  const widths = header.map((_, at) => Math.max(...[header, ...rows].map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  const lines = [...[header, ...rows].map((row) => `  ${line(row)}`.trimEnd()), ...notes];
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}

/** Measures with engines of its own. */
async function withEngines<Value>(work: () => Promise<Value>): Promise<Value> {
  const engines = await startBenchEngines();
  try {
    return await work();
  } finally {
    await stopShared();
    await engines.stop();
  }
}

/** The inputs of a file, if one is given. */
const readGiven = (file: unknown): Partial<Inputs> =>
  typeof file === 'string' ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Inputs>) : {};

/** `pnpm bench capacity`. */
export async function capacity(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  if (values['help']) {
    const lines = scalars.map(([name, { description }]) => `  --${name.padEnd(12)} ${description}`);
    return void process.stdout.write(`${help}\n${lines.join('\n')}\n`);
  }
  if (values['measure']) {
    const { measureCapacity } = await import('./measure.ts');
    const measured = await withEngines(measureCapacity);
    if (!isQuick) save('capacity-measured', measured);
    else process.stdout.write(`${JSON.stringify(measured)}\n`);
  }
  if (values['check']) {
    const { checkCapacity } = await import('./check.ts');
    const checked = await withEngines(checkCapacity);
    if (!isQuick) save('capacity-check', checked);
    else process.stdout.write(`${JSON.stringify(checked)}\n`);
  }
  if (isQuick) return;
  const given = readGiven(values['inputs']);
  const set = scalars.flatMap(([name]) => (values[name] === undefined ? [] : [[name, Number(values[name])]]));
  const inputs = readInputs({ ...given, ...(Object.fromEntries(set) as Partial<Inputs>) });
  const basis: Basis = { inputs, measured: readMeasured(), figures: readFigures() };
  const numbers = values['members'] === undefined && !('members' in given) ? usualMembers : [inputs.members];
  if (values['json']) {
    const sizings = numbers.map((members) => size({ ...basis, inputs: { ...inputs, members } }));
    return void process.stdout.write(`${JSON.stringify({ inputs, sizings }, null, 2)}\n`);
  }
  for (const table of sizeTables(basis, numbers)) print(table);
  print(limitTable(basis));
  for (const table of [shardTable(), ...readSocketTables(basis.measured), checkTable(basis, readChecked())])
    print(table);
}
