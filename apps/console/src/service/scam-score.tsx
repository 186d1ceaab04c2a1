import { Group, Stack, Text } from '@mantine/core';
import { Part } from '../layout/part.tsx';
import { useFormats } from '../layout/formats.ts';
import { useTexts } from '../texts/texts.ts';
import type { Member } from './queries.ts';

/** The score of a member, with the signals that it is made of. */
export function ScamScore({ scam }: { readonly scam: NonNullable<Member['scam']> }) {
  const { text } = useTexts();
  const { time } = useFormats();
  const { mode, score, threshold, reasons } = scam;
  return (
    <Part title={text('service.scams')} aside={<Text size="sm">{text(`service.scams.mode.${mode}`)}</Text>}>
      <Stack gap="xs">
        <Text fw={700}>{text('service.scams.scoreOf', { score, threshold })}</Text>
        {reasons.map(({ signal, weight, count, last }) => (
          <Group key={signal} justify="space-between">
            <Text>{text(`service.signal.${signal}`)}</Text>
            <Text size="sm" c="dimmed">
              {[
                text('service.scams.weight', { weight }),
                text('service.scams.times', { times: count }),
                ...(last === null ? [] : [time(last)]),
              ].join(' · ')}
            </Text>
          </Group>
        ))}
      </Stack>
    </Part>
  );
}
