import { Badge, Button, Code, CopyButton, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { Details } from '../layout/details.tsx';
import { useFormats } from '../layout/formats.ts';
import { Part } from '../layout/part.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import type { ComparedMember, Variant } from './queries.ts';
import classes from './compared.module.css';
import { colorOf, moveOf } from './weights.ts';

/** One of the settings of a comparison: alone, or of two those in force, or the others. */
type Side = 'alone' | 'inForce' | 'changed';

/** The move of a result between the two settings. */
function Move({ member, side }: { readonly member: ComparedMember; readonly side: Side }) {
  const { text } = useTexts();
  const move = side === 'alone' ? 0 : moveOf(member, side === 'changed');
  if (move === 0) return null;
  if (typeof move === 'string') return <Badge variant="default">{text(`search.${move}`)}</Badge>;
  const ranks = Math.abs(move);
  return (
    <Badge color={move > 0 ? 'teal.9' : 'red.9'}>
      {move > 0 ? text('search.up', { ranks }) : text('search.down', { ranks })}
    </Badge>
  );
}

/** The contribution of each criterion, as numbers. */
export function Parts({ member: { criteria, among_equals } }: { readonly member: ComparedMember }) {
  const { text } = useTexts();
  const { number } = useFormats();
  return (
    <Details summary={text('search.why')}>
      <WideTable fz="sm" head={[text('search.criterion'), text('search.outcome'), text('search.points')]}>
        {criteria.map(({ criterion, outcome, weight, credit, points, synonyms }) => (
          <Table.Tr key={criterion}>
            <Table.Td>{criterion}</Table.Td>
            <Table.Td>
              {text(`search.outcome.${outcome}`)}
              {synonyms.map(({ rule }) => ` (${rule})`)}
            </Table.Td>
            <Table.Td>{`${number(points, 3)} = ${weight} × ${number(credit, 3)}`}</Table.Td>
          </Table.Tr>
        ))}
        {among_equals.map(({ part, gave }) => (
          <Table.Tr key={part}>
            <Table.Td>{part}</Table.Td>
            <Table.Td>{text('search.amongEquals')}</Table.Td>
            <Table.Td>{number(gave, 3)}</Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Details>
  );
}

/** The request to Elasticsearch, to copy. */
function RawQuery({ query: { index, body } }: { readonly query: Variant['query'] }) {
  const { text } = useTexts();
  const raw = `POST /${index}/_search\n${JSON.stringify(body, null, 2)}`;
  return (
    <>
      <CopyButton value={raw}>
        {({ copied, copy }) => (
          <Button variant="default" size="compact-sm" my="xs" onClick={copy}>
            {text(copied ? 'search.copied' : 'search.copy')}
          </Button>
        )}
      </CopyButton>
      <Code block tabIndex={0}>
        {raw}
      </Code>
    </>
  );
}

/** The results under some settings, in order. */
export function Results({
  title,
  variant: { users, totalmatches, total_weight, query },
  side,
}: {
  readonly title: string;
  readonly variant: Variant;
  readonly side: Side;
}) {
  const { text } = useTexts();
  const { number } = useFormats();
  return (
    <Part
      title={title}
      aside={<Text size="sm">{text('search.total', { total: number(totalmatches, 3) })}</Text>}
      className={side === 'changed' ? classes.changed : undefined}
    >
      <Stack component="ol" gap="xs" className={classes.results}>
        {users.map((member) => (
          <li key={member.id}>
            <Group justify="space-between">
              <Text>{`${member.rank}. ${member.username ?? '–'} (${member.id})`}</Text>
              <Group gap="xs">
                <Move member={member} side={side} />
                <Text size="sm">{number(member.relevance, 3)}</Text>
              </Group>
            </Group>
            <Progress.Root size="lg" aria-hidden>
              {member.criteria.map(({ criterion, points }, at) => (
                <Progress.Section
                  key={criterion}
                  value={total_weight ? (100 * points) / total_weight : 0}
                  color={colorOf(at)}
                  title={criterion}
                />
              ))}
            </Progress.Root>
            <Parts member={member} />
          </li>
        ))}
      </Stack>
      <Details summary={text('search.rawQuery')}>
        <RawQuery query={query} />
      </Details>
    </Part>
  );
}
