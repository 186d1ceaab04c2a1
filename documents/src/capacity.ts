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
import { blocks, code, table, wrapped } from './markdown.ts';

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

const tableOf = ({ header, rows, notes = [] }: Table) =>
  blocks(
    table(header, rows),
    ...(notes.length ? [notes.map((note) => wrapped(`- ${note}`, '  ')).join('\n')] : []),
  );

/** The tables of `pnpm bench capacity`. */
export function capacity(): string {
  const basis = { inputs: readInputs(), measured: readMeasured(), figures: readFigures() };
  return blocks(
    '## What is needed',
    ...sizeTables(basis, usualMembers).flatMap((one) => [`**${one.title}**`, tableOf(one)]),
    '## What breaks first',
    tableOf(limitTable(basis)),
    '## Shards and sockets',
    ...[shardTable(), ...readSocketTables(basis.measured)].map(tableOf),
    '## How good the formulas are',
    tableOf(checkTable(basis, readChecked())),
    '## Formulas and inputs',
    table(['result', 'formula'], formulas),
    table(['input', 'default', 'meaning'], inputRows()),
    tableOf(costTable(basis)),
    tableOf(bytesTable(basis)),
  );
}
