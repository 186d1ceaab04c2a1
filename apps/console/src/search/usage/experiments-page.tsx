import { Button, Card, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/api.tsx';
import { useFormats } from '../../layout/formats.ts';
import { Loaded, Page } from '../../layout/page.tsx';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import { settingsQuery } from '../queries.ts';
import { ExperimentDetails } from './experiment-details.tsx';
import { experimentsQuery, type Experiment } from './experiment-queries.ts';

/** All experiments, the last one first. */
function List({
  experiments,
  onShow,
}: {
  readonly experiments: readonly Experiment[];
  readonly onShow: (name: string) => void;
}) {
  const { text } = useTexts();
  const { number, time } = useFormats();
  if (!experiments.length) return <Text>{text('experiments.none')}</Text>;
  return (
    <WideTable
      minWidth={560}
      head={[
        text('experiments.name'),
        text('experiments.from'),
        text('experiments.to'),
        text('experiments.preferred'),
        text('experiments.verdict'),
        text('search.action'),
      ]}
    >
      {experiments.map(({ name, started, stopped, preferred, better }) => (
        <Table.Tr key={name}>
          <Table.Td>{name}</Table.Td>
          <Table.Td>{time(started)}</Table.Td>
          <Table.Td>{stopped === null ? text('experiments.runs') : time(stopped)}</Table.Td>
          <Table.Td>{`${number(preferred.a, 0)} : ${number(preferred.b, 0)}`}</Table.Td>
          <Table.Td>{better ? text(`experiments.better.${better}`) : text('experiments.undecided')}</Table.Td>
          <Table.Td>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={text('experiments.showWhat', { name })}
              onClick={() => onShow(name)}
            >
              {text('experiments.show')}
            </Button>
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}

/** Comparisons of two rankings by what members do with interleaved results, running and ended. */
export function ExperimentsPage() {
  const { text } = useTexts();
  const api = useApi();
  const query = useQuery(experimentsQuery(api));
  const settings = useQuery(settingsQuery(api));
  const [chosen, setChosen] = useState<string>();
  return (
    <Page title={text('experiments')}>
      <Text>
        {text('experiments.how')} <Link to="/search/compare">{text('search.compare')}</Link>
      </Text>
      <Loaded query={query}>
        {({ experiments }) => {
          const shown = experiments.find(({ name }) => name === chosen) ?? experiments[0];
          return (
            <>
              <Card withBorder>
                <List experiments={experiments} onShow={setChosen} />
              </Card>
              {shown && (
                <Loaded query={settings}>
                  {(inForce) => <ExperimentDetails key={shown.name} experiment={shown} settings={inForce} />}
                </Loaded>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
