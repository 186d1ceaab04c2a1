import { readSocketTables, shardTable } from '@covalence/bench/capacity/engine-tables';
import { formulas } from '@covalence/bench/capacity/formulas';
import { inputsSchema, readInputs } from '@covalence/bench/capacity/inputs';
import { readChecked, readFigures, readMeasured } from '@covalence/bench/capacity/measured';
import type { Table } from '@covalence/bench/capacity/table';
import {
  bytesTable,
  checkTable,
  limitTable,
  costTable,
  sizeTables,
  usualMembers,
} from '@covalence/bench/capacity/tables';
import { code, tableOf, withGenerated } from './table.ts';

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, amount]) => `${name} ${String(amount)}`)
        .join(', ')
    : String(value);

/** Inputs with defaults and meaning; the table of costs has the calls. */
function inputRows(): string[][] {
  const defaults = readInputs();
  return Object.entries(inputsSchema.shape)
    .filter(([name]) => name !== 'members' && name !== 'calls')
    .map(([name, { description = '' }]) => [
      code(name),
      shown(defaults[name as keyof typeof defaults]),
      description,
    ]);
}

const lineLength = 100;

/** A list item in lines as the formatter wraps it. */
function item(text: string): string[] {
  const lines = ['-'];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= lineLength) lines.splice(-1, 1, line);
    else lines.push(`  ${word}`);
  }
  return lines;
}

const partOf = ({ header, rows, notes = [] }: Table): string[] => [
  ...tableOf(header, rows),
  ...(notes.length ? ['', ...notes.flatMap(item)] : []),
];

/** docs/scale.md with the tables of `pnpm bench capacity`. */
export function withCapacity(page: string): string {
  const basis = { inputs: readInputs(), measured: readMeasured(), figures: readFigures() };
  const sections = {
    'What is needed': sizeTables(basis, usualMembers).map((table) => [
      `**${table.title}**`,
      '',
      ...partOf(table),
    ]),
    'What breaks first': [partOf(limitTable(basis))],
    'Shards and sockets': [shardTable(), ...readSocketTables(basis.measured)].map(partOf),
    'How good the formulas are': [partOf(checkTable(basis, readChecked()))],
    'Formulas and inputs': [
      tableOf(['result', 'formula'], formulas),
      tableOf(['input', 'default', 'meaning'], inputRows()),
      partOf(costTable(basis)),
      partOf(bytesTable(basis)),
    ],
  };
  const lines = Object.entries(sections).flatMap(([heading, parts]) => [
    `## ${heading}`,
    '',
    ...parts.flatMap((part) => [...part, '']),
  ]);
  return withGenerated(page, 'capacity', lines.slice(0, -1));
}
