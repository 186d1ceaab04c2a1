import { Table, Text } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';
import classes from './photo.module.css';
import type { Member } from './queries.ts';

/** The texts of a member by field, with those that wait. */
export function MemberTexts({
  texts,
  waiting = [],
}: {
  readonly texts: Member['texts'];
  readonly waiting?: Member['texts_to_review'];
}) {
  const { text, valueText } = useTexts();
  const label = (field: string) => valueText('service.field', field);
  const proposed = waiting.flatMap(({ field, proposed: to }) => (to === null ? [] : [[field, to] as const]));
  const rows = [
    ...Object.entries(texts).map(([field, value]) => [field, label(field), value] as const),
    ...proposed.map(
      ([field, value]) =>
        [`${field} waiting`, text('service.texts.waiting', { field: label(field) }), value] as const,
    ),
  ].filter(([, , value]) => value !== '');
  if (!rows.length) return <Text c="dimmed">{text('service.nothing')}</Text>;
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([key, name, value]) => (
          <Table.Tr key={key}>
            <Table.Th w={140}>{name}</Table.Th>
            <Table.Td className={classes.text}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
