import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './layout.module.css';

/**
 * A table with a head. Where the screen is narrower than `minWidth` pixels it scrolls by itself, also by keyboard; a last column of
 * actions stays in sight.
 */
export function WideTable({
  minWidth,
  head,
  children,
  ...props
}: Pick<TableProps, 'fz'> & {
  readonly minWidth?: number;
  readonly head: readonly string[];
  readonly children: ReactNode;
}) {
  const { text } = useTexts();
  const hasActions = head.at(-1) === text('search.action');
  const table = (
    <Table {...props} {...(hasActions && { className: classes.actions })}>
      <Table.Thead>
        <Table.Tr>
          {head.map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      {table}
    </Table.ScrollContainer>
  );
}
