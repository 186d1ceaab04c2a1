import { Alert, Group, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../layout/formats.ts';
import { Part } from '../layout/part.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Operations } from './operations-queries.ts';

/** Problems to look at, each with its runbook. */
export function Problems({ problems }: Pick<Operations, 'problems'>) {
  const { text } = useTexts();
  const { waited } = useFormats();
  if (!problems.length) return <Alert color="teal">{text('operations.nothing')}</Alert>;
  return (
    <Part title={text('operations.problems')}>
      <List spacing="xs" listStyleType="none">
        {problems.map(({ kind, service, about, count, since, runbook }) => (
          <List.Item key={[kind, service, about].join(' ')}>
            <Group gap="xs">
              <Text fw={600}>
                {text(`operations.problem.${kind}`, { service, about: about ?? '–', count: count ?? 0 })}
              </Text>
              {since !== null && <Text>{text('service.waitsSince', { since: waited(since) })}</Text>}
              <Link
                to="/operators/runbooks"
                hash={runbook}
                aria-label={`${text('operations.runbook')}: ${runbook}`}
              >
                {text('operations.runbook')}
              </Link>
            </Group>
          </List.Item>
        ))}
      </List>
    </Part>
  );
}
