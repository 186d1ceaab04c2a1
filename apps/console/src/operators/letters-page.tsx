import { Alert, Button, Checkbox, Code, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { Ask } from '../layout/ask.tsx';
import { useFormats } from '../layout/formats.ts';
import { Loaded, Page } from '../layout/page.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { Letter } from './letter.tsx';
import { lettersKey, lettersQuery, type DeadLetter, type DeadLetters } from './operations-queries.ts';

/** Letters of one call. */
const mostAtOnce = 100;

const keyOf = ({ queue, id }: Pick<DeadLetter, 'queue' | 'id'>) => `${queue} ${id}`;

type Outcome = 'replayed' | 'gone' | 'away';

/** Notes on unlisted letters: queues of an unavailable service, and letters beyond the oldest ones. */
function Unlisted({ queues }: DeadLetters) {
  const { text } = useTexts();
  return queues.flatMap(({ queue, away, waiting, letters }) => {
    if (!away && waiting <= letters.length) return [];
    return [
      <Alert key={queue} color="yellow">
        {away
          ? text('operations.letters.away', { queue })
          : text('operations.letters.more', { queue, waiting, shown: letters.length })}
      </Alert>,
    ];
  });
}

/** The dead letters: read, replayed by selection, deleted one by one. */
export function LettersPage() {
  const { text } = useTexts();
  const { time } = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery(lettersQuery(api));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  const [read, setRead] = useState<DeadLetter>();
  const [done, setDone] = useState<readonly Outcome[]>([]);
  const letters = (query.data?.queues ?? []).flatMap((one) => one.letters);
  const selected = letters.filter((one) => chosen.has(keyOf(one))).slice(0, mostAtOnce);
  const choose = (some: Iterable<string>) => setChosen(new Set(some));
  const renew = () => queries.invalidateQueries({ queryKey: lettersKey });
  const replay = async () => {
    const body = { letters: selected.map(({ queue, id }) => ({ queue, id })) };
    const answer = await dataOf(api.POST('/staff/operations/dead-letters/replay', { body }));
    setDone(answer.letters.map(({ outcome }) => outcome));
    choose([]);
    await renew();
  };
  const label = text('operations.replay', { count: selected.length });
  return (
    <Page title={text('operations.letters')}>
      <Text>
        {text('operations.letters.how')} <Code>pnpm covalence events</Code>
      </Text>
      <Text role="status">
        {(['replayed', 'gone', 'away'] as const)
          .map((outcome) => ({ outcome, count: done.filter((one) => one === outcome).length }))
          .filter(({ count }) => count > 0)
          .map(({ outcome, count }) => text(`operations.outcome.${outcome}`, { count }))
          .join(' ')}
      </Text>
      <Loaded query={query}>
        {({ queues }) => (
          <>
            <Unlisted queues={queues} />
            <Group>
              <Button
                variant="default"
                disabled={!letters.length}
                onClick={() => choose(selected.length ? [] : letters.slice(0, mostAtOnce).map(keyOf))}
              >
                {text(selected.length ? 'service.select.none' : 'service.select.all')}
              </Button>
              <Button disabled={!selected.length} onClick={() => setIsAsking(true)}>
                {`${label} …`}
              </Button>
              <Button variant="default" onClick={() => void renew()}>
                {text('operations.renew')}
              </Button>
            </Group>
            {letters.length === 0 && <Text>{text('operations.letters.none')}</Text>}
            {letters.length > 0 && (
              <WideTable
                minWidth={900}
                head={[
                  text('operations.choose'),
                  text('operations.queue'),
                  text('operations.letter.type'),
                  text('operations.letter.member'),
                  text('operations.letter.died'),
                  text('operations.letter.error'),
                  text('search.action'),
                ]}
              >
                {letters.map((letter) => {
                  const key = keyOf(letter);
                  const { queue, id, type, member, died, error, reason } = letter;
                  return (
                    <Table.Tr key={key}>
                      <Table.Td>
                        <Checkbox
                          aria-label={`${text('operations.choose')}: ${type} ${id}`}
                          checked={chosen.has(key)}
                          onChange={({ currentTarget: { checked } }) =>
                            choose(checked ? [...chosen, key] : [...chosen].filter((other) => other !== key))
                          }
                        />
                      </Table.Td>
                      <Table.Td>{queue}</Table.Td>
                      <Table.Td>{type}</Table.Td>
                      <Table.Td>{member ?? '–'}</Table.Td>
                      <Table.Td>{died === null ? '–' : time(died)}</Table.Td>
                      <Table.Td lang="en">{error ?? reason}</Table.Td>
                      <Table.Td>
                        <Button
                          variant="default"
                          size="compact-sm"
                          aria-label={`${text('operations.read')}: ${type} ${id}`}
                          onClick={() => setRead(letter)}
                        >
                          {text('operations.read')}
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  );
                })}
              </WideTable>
            )}
          </>
        )}
      </Loaded>
      <Ask
        isOpen={isAsking}
        label={label}
        consequence={text('operations.replay.consequence')}
        run={replay}
        close={() => setIsAsking(false)}
      />
      <Letter letter={read} onDeleted={renew} close={() => setRead(undefined)} />
    </Page>
  );
}
