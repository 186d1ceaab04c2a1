import { Text } from '@mantine/core';
import { Part } from '../layout/part.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Member } from './queries.ts';

/** The points of a member, and the measure that they propose to staff. */
export function Strikes({
  strikes: { points, proposal },
}: {
  readonly strikes: NonNullable<Member['strikes']>;
}) {
  const { text } = useTexts();
  return (
    <Part title={text('service.strikes')}>
      <Text fw={700}>{text('service.strikes.points', { points })}</Text>
      <Text>{text(proposal === null ? 'service.strikes.none' : `service.strikes.${proposal}`)}</Text>
    </Part>
  );
}
