import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { dataOf, Refused, useApi, type PartProblem } from '../api/api.tsx';
import { download } from '../layout/download.ts';
import { Form } from '../layout/form.tsx';
import { Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { EndedExperiment } from './usage/ended-experiment.tsx';
import { Changes } from './changes.tsx';
import { NoteField } from './note-field.tsx';
import { settingsKey, type SettingsChange } from './queries.ts';

/** The key of a publication under way. */
export const publishKey = ['search', 'publish'];

/** Whether somebody else has published since. */
const isConflict = (error: Error) => error instanceof Refused && error.status === 409;

/** Publishes a change after a version, with a note, or saves it as the file of `covalence search-settings publish`; `describe` says where a problem is. */
export function Publish({
  after,
  current,
  change,
  changes,
  isReady = true,
  describe,
  onPublished,
  children,
}: {
  /** The version that the change was made from. */
  readonly after: number;
  /** The version in force. */
  readonly current: number;
  /** Undefined while nothing is changed. */
  readonly change: SettingsChange | undefined;
  /** The same in words, a line each. */
  readonly changes: readonly string[];
  /** Whether what is shown is what would be published. */
  readonly isReady?: boolean;
  readonly describe?: (problem: PartProblem) => string;
  readonly onPublished?: () => void;
  /** Other buttons for the change. */
  readonly children?: ReactNode;
}) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const { mutate, isPending, error, data } = useMutation({
    mutationKey: publishKey,
    mutationFn: () => dataOf(api.POST('/staff/search/settings', { body: { after, note, ...change } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: settingsKey });
      setNote('');
      onPublished?.();
    },
    onError: (problem) =>
      isConflict(problem) ? queries.invalidateQueries({ queryKey: settingsKey }) : undefined,
  });
  const isStale = !isPending && change !== undefined && current !== after;
  return (
    <Stack gap="xs">
      {change && <Changes title={text('search.changes')} changes={changes} />}
      <Form onSubmit={mutate}>
        <Group align="end">
          <NoteField note={note} onChange={setNote} description={text('search.noteWhy')} flex={1} />
          <Button type="submit" loading={isPending} disabled={!change || !isReady || isStale}>
            {text('search.publish')}
          </Button>
        </Group>
      </Form>
      {/* Not in the form: a form of a dialog among them would submit it too. */}
      <Group gap="xs">
        {children}
        <Button
          variant="default"
          size="compact-sm"
          disabled={!change}
          onClick={() => download(JSON.stringify({ version: after, ...change }, null, 2), 'settings.json')}
        >
          {text('search.save')}
        </Button>
      </Group>
      {isStale && (
        <Alert color="yellow" role="alert">
          {text('search.stale')}
        </Alert>
      )}
      {error && !isConflict(error) && <Problem error={error} {...(describe && { describe })} />}
      {data && !change && (
        <Alert color="green" role="status">
          {text('search.isPublished', { version: data.version })}
        </Alert>
      )}
      {data?.ended && !change && <EndedExperiment name={data.ended} />}
    </Stack>
  );
}
