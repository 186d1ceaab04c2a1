import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { Loaded, Problem } from '../layout/page.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { useFormats } from '../layout/formats.ts';
import { Part } from '../layout/part.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { EndedExperiment } from './usage/ended-experiment.tsx';
import { NoteField } from './note-field.tsx';
import { newestOf, settingsKey, settingsQuery } from './queries.ts';

/** Asks why, then puts an older version in force again. */
function RollBack({
  version,
  after,
  onDone,
}: {
  readonly version: number;
  readonly after: number;
  readonly onDone: (ended: string | null) => void;
}) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(api.POST('/staff/search/settings/rollback', { body: { version, after, note } })),
    onSuccess: async ({ ended }) => {
      await queries.invalidateQueries({ queryKey: settingsKey });
      onDone(ended);
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Stack>
        <NoteField note={note} onChange={setNote} data-autofocus />
        {error && <Problem error={error} />}
        <Button type="submit" loading={isPending}>
          {text('search.rollBack', { version })}
        </Button>
      </Stack>
    </Form>
  );
}

/** The published versions, newest first, each of which can be put in force again. */
export function Versions() {
  const { text } = useTexts();
  const { time } = useFormats();
  const query = useQuery(settingsQuery(useApi()));
  const [chosen, setChosen] = useState<number>();
  const [ended, setEnded] = useState<string | null>(null);
  const close = () => setChosen(undefined);
  return (
    <Part title={text('search.versions')}>
      <Loaded query={query}>
        {({ version, versions }) => (
          <>
            <WideTable
              minWidth={420}
              head={[
                text('search.version'),
                text('search.published'),
                text('search.note'),
                text('search.action'),
              ]}
            >
              {versions.map(({ version: one, at, note, of, by }) => (
                <Table.Tr key={one}>
                  <Table.Td>
                    {one} {one === version && <Badge miw="max-content">{text('search.inForce')}</Badge>}
                  </Table.Td>
                  <Table.Td>
                    {time(at)} · {by === null ? text('search.byCommand') : <StaffName id={by} />}
                  </Table.Td>
                  <Table.Td>
                    {of === null ? note : text('search.repeats', { version: of, note: note || '–' })}
                  </Table.Td>
                  <Table.Td>
                    {one !== version && (
                      <Button
                        variant="default"
                        size="compact-sm"
                        aria-label={text('search.rollBack', { version: one })}
                        onClick={() => setChosen(one)}
                      >
                        {text('search.return')}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </WideTable>
            {versions.length === 0 && <Text>{text('search.nothingPublished')}</Text>}
            {versions.length > 0 && version > 0 && (
              <Group>
                <Button variant="default" size="compact-sm" onClick={() => setChosen(0)}>
                  {text('search.rollBackAll')}
                </Button>
              </Group>
            )}
            <Dialog
              opened={chosen !== undefined}
              onClose={close}
              title={text('search.rollBack', { version: chosen ?? 0 })}
            >
              {chosen !== undefined && (
                <RollBack
                  version={chosen}
                  after={newestOf(versions)}
                  onDone={(name) => {
                    setEnded(name);
                    close();
                  }}
                />
              )}
            </Dialog>
            {ended !== null && <EndedExperiment name={ended} />}
          </>
        )}
      </Loaded>
    </Part>
  );
}
