import { Button, Group, NumberInput, Select, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Form } from '../../layout/form.tsx';
import { Loaded, Problem } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { useFormats } from '../../layout/formats.ts';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import { NoteField } from '../note-field.tsx';
import { settingsQuery, type Searched } from '../queries.ts';
import { SearchedIndex } from '../searched-index.tsx';
import {
  metrics,
  runsQuery,
  triedSettings,
  type JudgmentSet,
  type Metric,
  type Run,
  type TriedWeight,
} from './judgment-queries.ts';
import { RunChanges } from './run-changes.tsx';
import { RunPlot } from './run-plot.tsx';

/** The weight that is tried, and how it is chosen. */
interface Tried {
  readonly tried: TriedWeight;
  readonly onTry: (tried: TriedWeight) => void;
}

/** Runs the set, in the index that the person chooses, with one weight changed if they choose one. */
function RunNow({
  set,
  tried,
  onTry,
  onRun,
}: Tried & { readonly set: JudgmentSet; readonly onRun: (run: string) => void }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  // Without permission to publish settings, there are none to change.
  const { data: settings } = useQuery({ ...settingsQuery(api), retry: false });
  const { criterion, weight } = tried;
  const [note, setNote] = useState('');
  const [searched, setSearched] = useState<Searched>('live');
  const criteria = [...new Set(set.searches.flatMap((one) => Object.keys(one.criteria)))].sort();
  const changed = triedSettings(settings, tried);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const why = note || (changed ? `${criterion} ${weight}` : '');
      return dataOf(
        api.POST('/staff/search/judgment-sets/{id}/runs', {
          params: { path: { id: set.id } },
          body: { note: why, index: searched, ...(changed && { settings: changed }) },
        }),
      );
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries(runsQuery(api, set.id));
      onRun(id);
    },
  });
  return (
    <Form onSubmit={mutate}>
      <Group align="end">
        {settings && (
          <>
            <Select
              label={text('judgments.tryWeight')}
              data={criteria}
              value={criterion}
              onChange={(chosen) => onTry({ criterion: chosen, weight })}
              clearable
              clearButtonProps={{ 'aria-label': text('search.reset') }}
            />
            <NumberInput
              label={text('judgments.weight')}
              value={weight}
              onChange={(chosen) => onTry({ criterion, weight: chosen })}
              min={1}
              max={1000}
              allowDecimal={false}
              w={100}
            />
          </>
        )}
        <NoteField note={note} onChange={setNote} flex={1} />
        <Button type="submit" loading={isPending} disabled={!set.searches.length}>
          {text('judgments.run')}
        </Button>
      </Group>
      <SearchedIndex searched={searched} onChange={setSearched} />
      {error && <Problem error={error} />}
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
        text('search.note'),
        ...names.map(([, name]) => name),
        text('search.action'),
      ]}
    >
      {runs.map(({ id, at, version, changed, index, note, mean }) => (
        <Table.Tr key={id}>
          <Table.Td>{time(at)}</Table.Td>
          <Table.Td>{versionText(version, changed, index)}</Table.Td>
          <Table.Td>{note}</Table.Td>
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
                <RunTable runs={runs} onShow={setChosen} />
                {run && <RunChanges key={run.id} set={set} run={run} runs={runs} before={before} />}
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
