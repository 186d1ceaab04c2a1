import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import type { components } from '@covalence/client/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { download } from '../../layout/download.ts';
import { useFormats } from '../../layout/formats.ts';
import { Loaded, Page } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import { settingsKey, settingsQuery } from '../queries.ts';
import { rankingOf } from '../weights.ts';

type Usage = components['schemas']['StaffUsage'];

const dayCounts = ['1', '7', '28', '90'];

const actions = ['like', 'view'] as const;

/** Searches of members, and how often they acted on the results. */
function Kinds({ usage: { kinds, searches, since, complete } }: { readonly usage: Usage }) {
  const { text } = useTexts();
  const { number } = useFormats();
  return (
    <Part
      title={text('usage.kinds')}
      aside={<Text size="sm">{text('usage.read', { searches: number(searches, 0), since })}</Text>}
    >
      {!complete && (
        <Alert color="yellow" role="status">
          {text('usage.partial')}
        </Alert>
      )}
      {kinds.length ? (
        <WideTable
          minWidth={560}
          head={[
            text('usage.kind'),
            text('search.version'),
            text('usage.searchers'),
            text('usage.shown'),
            text('usage.acted'),
            text('usage.rate'),
          ]}
        >
          {kinds.map(({ criteria, version, searchers, results, acted, rate }) => (
            <Table.Tr key={`${criteria} ${version}`}>
              <Table.Td>{criteria}</Table.Td>
              <Table.Td>{version}</Table.Td>
              <Table.Td>{number(searchers, 0)}</Table.Td>
              <Table.Td>{number(results, 0)}</Table.Td>
              <Table.Td>{number(acted, 0)}</Table.Td>
              <Table.Td>{rate === null ? '–' : number(rate, 2)}</Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      ) : (
        <Text>{text('usage.none')}</Text>
      )}
    </Part>
  );
}

/** How much positions are looked at. */
function Positions({ usage: { examined } }: { readonly usage: Usage }) {
  const { text } = useTexts();
  const { number } = useFormats();
  return (
    <Part title={text('usage.positions')}>
      {examined.length ? (
        <WideTable minWidth={240} head={[text('usage.position'), text('usage.looks')]}>
          {examined.map(({ up_to, looks }) => (
            <Table.Tr key={up_to}>
              <Table.Td>{up_to}</Table.Td>
              <Table.Td>{looks === null ? '–' : number(looks, 2, 2)}</Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      ) : (
        <Text>{text('usage.unknown')}</Text>
      )}
    </Part>
  );
}

/** Grades that follow from use, as a file of TREC's tools. */
function Grades({ usage: { judgments, since } }: { readonly usage: Usage }) {
  const { text } = useTexts();
  const { number } = useFormats();
  const counts = [3, 2, 1, 0].map((grade) => {
    const of = judgments.filter((one) => one.grade === grade).length;
    return `${text(`judgments.grade.${grade as 0 | 1 | 2 | 3}`)}: ${number(of, 0)}`;
  });
  const qrels = judgments.map(({ topic, shown, grade }) => `${topic} 0 ${shown} ${grade}\n`).join('');
  return (
    <Part title={text('usage.judgments')}>
      <Stack gap="xs">
        <Text size="sm">{text('usage.judgmentsWhy')}</Text>
        <Text>{counts.join(' · ')}</Text>
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            disabled={!judgments.length}
            onClick={() => download(qrels, `use-${since}.qrels`)}
          >
            {text('usage.export')}
          </Button>
        </Group>
      </Stack>
    </Part>
  );
}

/** The share of members whose searches are recorded. */
function Sample() {
  const { text } = useTexts();
  const { number } = useFormats();
  const { data } = useQuery(settingsQuery(useApi()));
  if (!data) return null;
  const { usage_sample, sites } = rankingOf(data);
  const percent = (share: number) => number(100 * share, 1);
  const own = Object.entries(sites).flatMap(([site, one]) =>
    one.usage_sample === undefined ? [] : [`${site}: ${percent(one.usage_sample)} %`],
  );
  return (
    <Text>{text('usage.recorded', { percent: percent(usage_sample), sites: own.join(', ') || '–' })}</Text>
  );
}

/** The page of use: what members search, what they do with the results, and what follows for single results. */
export function UsagePage() {
  const { text } = useTexts();
  const api = useApi();
  const [days, setDays] = useState('7');
  const [by, setBy] = useState<(typeof actions)[number]>('like');
  const query = useQuery({
    queryKey: [...settingsKey, 'usage', days, by],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/search/usage', { params: { query: { days: Number(days), by } }, signal })),
    // It takes long, and changes slowly. Each try counts as many comparisons.
    staleTime: Infinity,
    retry: false,
  });
  return (
    <Page title={text('usage')}>
      <Sample />
      <Group align="end">
        <NativeSelect
          label={text('usage.days')}
          data={dayCounts}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={text('usage.by')}
          data={actions.map((value) => ({ value, label: text(`usage.by.${value}`) }))}
          value={by}
          onChange={setBy}
        />
      </Group>
      <Loaded query={query}>
        {(usage) => (
          <>
            <Kinds usage={usage} />
            <Positions usage={usage} />
            <Grades usage={usage} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
