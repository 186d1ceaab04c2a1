import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Form } from '../../layout/form.tsx';
import { Loaded, Problem } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { useFormats } from '../../layout/formats.ts';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../compared.module.css';
import { NoteField } from '../note-field.tsx';
import type { Searched, SettingsChange } from '../queries.ts';
import { SearchedIndex } from '../searched-index.tsx';
import { metrics, runsQuery, type JudgmentSet, type Metric, type Run } from './judgment-queries.ts';
import { RunChanges } from './run-changes.tsx';
import { RunPlot } from './run-plot.tsx';
import { TriedSettings, type Choice } from './tried-settings.tsx';

/** The settings that are tried, and how they are chosen. */
interface Tried {
  readonly tried: {
    readonly change: SettingsChange | undefined;
    readonly note: string;
    readonly isReady: boolean;
  };
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}

/** Runs the set under the settings and in the index that the person chooses. */
function RunNow({
  set,
  tried,
  choice,
  onChoose,
  onRun,
}: Tried & { readonly set: JudgmentSet; readonly onRun: (run: string) => void }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [searched, setSearched] = useState<Searched>('live');
  const { change } = tried;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/staff/search/judgment-sets/{id}/runs', {
          params: { path: { id: set.id } },
          body: { note: note || tried.note, index: searched, ...(change && { settings: change }) },
        }),
      ),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries(runsQuery(api, set.id));
      onRun(id);
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Stack gap="xs">
        <TriedSettings choice={choice} onChange={onChoose} />
        <SearchedIndex searched={searched} onChange={setSearched} />
        <Group align="end">
          <NoteField note={note} onChange={setNote} flex={1} />
          <Button type="submit" loading={isPending} disabled={!tried.isReady}>
            {text('judgments.run')}
          </Button>
        </Group>
        {error && <Problem error={error} />}
      </Stack>
    </Form>
  );
}

/** The kept runs, newest first. */
function RunTable({
  runs,
  onShow,
}: {
  readonly runs: readonly Run[];
  readonly onShow: (run: string) => void;
}) {
  const { text } = useTexts();
  const { number, time } = useFormats();
  const names = Object.entries(metrics) as [Metric, string][];
  const figure = (value: number | undefined) => (value === undefined ? '–' : number(value, 3, 3));
  const versionText = (version: number, changed: boolean, index: Searched) => {
    const settings = changed ? text('judgments.changedFrom', { version }) : version;
    return index === 'shadow' ? text('judgments.shadow', { version: settings }) : settings;
  };
  return (
    <WideTable
      minWidth={640}
      head={[
        text('judgments.when'),
        text('search.version'),
        ...names.map(([, name]) => name),
        text('search.action'),
      ]}
    >
      {runs.map(({ id, at, version, changed, index, note, mean }) => (
        <Table.Tr key={id}>
          <Table.Td className={classes.time}>{time(at)}</Table.Td>
          <Table.Td>
            {versionText(version, changed, index)}
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          </Table.Td>
          {names.map(([metric]) => (
            <Table.Td key={metric}>{figure(mean?.[metric])}</Table.Td>
          ))}
          <Table.Td>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={text('judgments.changesOf', { when: time(at) })}
              onClick={() => onShow(id)}
            >
              {text('judgments.changes')}
            </Button>
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}

/** Runs of a set: a new one, the metrics over time, and what changed. */
export function Runs({ set, ...tried }: Tried & { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const query = useQuery(runsQuery(useApi(), set.id));
  const [chosen, setChosen] = useState<string>();
  return (
    <Part title={text('judgments.runs')}>
      <Stack>
        <RunNow set={set} {...tried} onRun={setChosen} />
        <Loaded query={query}>
          {({ runs }) => {
            const at = runs.findIndex(({ id }) => id === chosen);
            const [run, before] = [runs[at], runs[at + 1]];
            return runs.length ? (
              <>
                <RunPlot runs={runs} />
                {run && <RunChanges key={run.id} set={set} run={run} runs={runs} before={before} />}
                <RunTable runs={runs} onShow={setChosen} />
              </>
            ) : (
              <Text>{text('judgments.noRuns')}</Text>
            );
          }}
        </Loaded>
      </Stack>
    </Part>
  );
}
