import { Button, List, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Ask } from '../../layout/ask.tsx';
import { useFormats } from '../../layout/formats.ts';
import { Loaded } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { Rows } from '../../layout/rows.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Publish } from '../publish.tsx';
import { newestOf, settingsQuery, type SearchSettings } from '../queries.ts';
import { settingChanges } from '../setting-changes.ts';
import { rankingOf } from '../weights.ts';
import { experimentsQuery, type Experiment } from './experiment-queries.ts';

/** Stops the experiment, after a question. */
function Stop({ name }: { readonly name: string }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure(false);
  const stop = async () => {
    await dataOf(api.POST('/staff/search/experiments/{name}/stop', { params: { path: { name } } }));
    await queries.invalidateQueries(experimentsQuery(api));
  };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={open}>
        {text('experiments.stop')}
      </Button>
      <Ask
        isOpen={isAsking}
        title={text('experiments.stopWhat', { name })}
        label={text('experiments.stop')}
        consequence={text('experiments.stopWhy')}
        color="red.8"
        run={stop}
        close={close}
      />
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
        <Rows rows={rows} />
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
