import { Checkbox, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api.tsx';
import { Page } from '../layout/page.tsx';
import { NotFound } from '../layout/welcome.tsx';
import { useTexts } from '../texts/texts.ts';
import { OneByOne } from './one-by-one.tsx';
import { summaryQuery, waitingKinds, type Wanted } from './queue-queries.ts';
import { Selection } from './selection.tsx';
import { WaitedSelect } from './waited-select.tsx';

const path = '/service/queue/$kind';

/** The entries of a kind that wait: one after the other, or several at once. */
export function ReviewPage() {
  const { text } = useTexts();
  const { kind: named } = useParams({ from: path });
  const search = useSearch({ from: path });
  const { site, flagged, sort, waited } = search;
  const navigate = useNavigate();
  const { data } = useQuery(summaryQuery(useApi()));
  const [way, setWay] = useState('one');
  const kind = waitingKinds.find((one) => one === named);
  if (!kind) return <NotFound />;
  const lines = data?.queues.filter((line) => line.kind === kind) ?? [];
  const count = lines
    .filter(({ siteid }) => site === undefined || siteid === site)
    .reduce((sum, { waiting }) => sum + waiting, 0);
  const show = (changed: Partial<Omit<Wanted, 'kind'>>) =>
    void navigate({ to: path, params: { kind }, search: { ...search, ...changed }, replace: true });
  const wanted = { kind, ...search };
  return (
    <Page key={kind} title={text(`service.queue.${kind}`)}>
      <Group align="end">
        <SegmentedControl
          aria-label={text('service.way')}
          data={[
            { value: 'one', label: text('service.way.one') },
            { value: 'several', label: text('service.way.several') },
          ]}
          value={way}
          onChange={setWay}
        />
        <NativeSelect
          label={text('service.site')}
          data={[
            { value: '', label: text('service.site.all') },
            ...lines.map(({ siteid }) => ({ value: String(siteid), label: String(siteid) })),
          ]}
          value={site === undefined ? '' : String(site)}
          onChange={({ currentTarget: { value } }) =>
            show({ site: value === '' ? undefined : Number(value) })
          }
        />
        <NativeSelect
          label={text('service.sort')}
          data={[
            { value: 'age', label: text('service.sort.age') },
            { value: 'risk', label: text('service.sort.risk') },
          ]}
          value={sort ?? 'age'}
          onChange={({ currentTarget: { value } }) => show({ sort: value === 'risk' ? value : undefined })}
        />
        <WaitedSelect filter={search} onChange={show} />
        <Checkbox
          label={text('service.flagged')}
          checked={flagged ?? false}
          onChange={(event) => show({ flagged: event.currentTarget.checked || undefined })}
          pb={8}
        />
        {data && !flagged && !waited && <Text pb={6}>{text('service.queue.count', { count })}</Text>}
      </Group>
      {way === 'one' ? (
        <OneByOne key={JSON.stringify(wanted)} {...wanted} />
      ) : (
        <Selection key={JSON.stringify(wanted)} {...wanted} />
      )}
    </Page>
  );
}
