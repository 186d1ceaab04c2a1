import { Button, List, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Dialog } from '../../layout/dialog.tsx';
import { useFormats } from '../../layout/formats.ts';
import { Loaded, Problem } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Publish } from '../publish.tsx';
import { newestOf, settingsQuery, type SearchSettings } from '../queries.ts';
import { settingChanges } from '../setting-changes.ts';
import { rankingOf } from '../weights.ts';
import { experimentsQuery, type Experiment } from './experiment-queries.ts';

/** Asks, then stops the experiment. */
function Stop({ name }: { readonly name: string }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/staff/search/experiments/{name}/stop', { params: { path: { name } } })),
    onSuccess: () => queries.invalidateQueries(experimentsQuery(api)),
  });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
        {text('experiments.stop')}
      </Button>
      <Dialog opened={isAsked} onClose={() => setAsked(false)} title={text('experiments.stopWhat', { name })}>
        <Stack>
          <Text>{text('experiments.stopWhy')}</Text>
          {error && <Problem error={error} />}
          <Button color="red.8" loading={isPending} onClick={() => mutate()} data-autofocus>
            {text('experiments.stop')}
          </Button>
        </Stack>
      </Dialog>
    </>
  );
}

/** The settings and the verdict of an experiment; stops it, or publishes what it tried. */
export function ExperimentDetails({
  experiment,
  settings,
}: {
  readonly experiment: Experiment;
  readonly settings: SearchSettings;
}) {
  const { text } = useTexts();
  const { number, significant, time } = useFormats();
  const { name, note, started, stopped, ended, sites, version, relevance } = experiment;
  const { weeks, searchers, searches, waiting, preferred, chance, better } = experiment;
  const start = useQuery(settingsQuery(useApi(), version));
  const changesFrom = (from: SearchSettings) =>
    settingChanges(rankingOf(from), relevance, text('search.changes.default'));
  const changes = changesFrom(settings);
  const isRunning = stopped === null;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [text('search.note'), note || '–'],
    [text('experiments.from'), time(started)],
    [
      text('experiments.to'),
      isRunning
        ? text('experiments.runs')
        : `${time(stopped)}, ${text(`experiments.ended.${ended ?? 'stopped'}`)}`,
    ],
    [text('experiments.sites'), sites.length ? sites.join(', ') : text('experiments.everySite')],
    ['a', `${text('search.version')} ${version}`],
    [
      'b',
      <>
        <Loaded query={start}>
          {(a) => (
            <List size="sm">
              {changesFrom(a).map((one) => (
                <List.Item key={one}>{one}</List.Item>
              ))}
            </List>
          )}
        </Loaded>
        {!changes.length && text('search.inForce')}
      </>,
    ],
    [text('experiments.searchers'), `${number(searchers, 0)} (${weeks})`],
    [text('experiments.searches'), `${number(searches, 0)} (${number(waiting, 0)})`],
    [text('experiments.preferred'), `${number(preferred.a, 0)} : ${number(preferred.b, 0)}`],
    [text('experiments.chance'), significant(chance, 2)],
    [
      text('experiments.verdict'),
      better ? text(`experiments.better.${better}`) : text('experiments.undecided'),
    ],
  ];
  return (
    <Part title={name} aside={isRunning && <Stop name={name} />}>
      <Stack>
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            {rows.map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th>{label}</Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {!isRunning && (
          <Publish
            after={newestOf(settings.versions)}
            current={newestOf(settings.versions)}
            change={changes.length ? { relevance } : undefined}
            changes={settings.relevance ? changes : [...changes, text('search.changes.file')]}
          />
        )}
      </Stack>
    </Part>
  );
}
