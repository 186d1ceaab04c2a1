import { Text } from '@mantine/core';
import { Rows } from '../layout/rows.tsx';
import { useFieldText } from './field-text.ts';
import { useTexts } from '../texts/texts.ts';
import type { Member } from './queries.ts';

/** The texts of a member by field, with those that wait. */
export function MemberTexts({
  site,
  texts,
  waiting = [],
}: {
  readonly site: number;
  readonly texts: Member['texts'];
  readonly waiting?: Member['texts_to_review'];
}) {
  const { text } = useTexts();
  const label = useFieldText(site, [...Object.keys(texts), ...waiting.map(({ field }) => field)]);
  const proposed = waiting.flatMap(({ field, proposed: to }) => (to === null ? [] : [[field, to] as const]));
  const rows = [
    ...Object.entries(texts).map(([field, value]) => [label(field), value] as const),
    ...proposed.map(
      ([field, value]) => [text('service.texts.waiting', { field: label(field) }), value] as const,
    ),
  ].filter(([, value]) => value !== '');
  if (!rows.length) return <Text c="dimmed">{text('service.nothing')}</Text>;
  return <Rows rows={rows} labelWidth={140} />;
}
