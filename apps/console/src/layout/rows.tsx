import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './layout.module.css';

/** A table of facts: each row is a label and its value. */
export function Rows({
  rows,
  labelWidth,
}: {
  readonly rows: readonly (readonly [label: string, value: ReactNode])[];
  readonly labelWidth?: number;
}) {
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={labelWidth}>{label}</Table.Th>
            <Table.Td className={classes.value}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
