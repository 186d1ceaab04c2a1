import { Checkbox, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api.tsx';
import { Page } from '../layout/page.tsx';
import { NotFound } from '../layout/welcome.tsx';
import { useTexts } from '../texts/texts.ts';
import { OneByOne } from './one-by-one.tsx';
import { summaryQuery, waitingKinds } from './queue-queries.ts';
import { Selection } from './selection.tsx';

const path = '/service/queue/$kind';

/** The entries of a kind that wait: one after the other, or several at once. */
export function ReviewPage() {
  const { text } = useTexts();
  const { kind: named } = useParams({ from: path });
  const { site, flagged } = useSearch({ from: path });
  const navigate = useNavigate();
  const { data } = useQuery(summaryQuery(useApi()));
  const [way, setWay] = useState('one');
  const kind = waitingKinds.find((one) => one === named);
  if (!kind) return <NotFound />;
  const lines = data?.queues.filter((line) => line.kind === kind) ?? [];
  const count = lines
    .filter(({ siteid }) => site === undefined || siteid === site)
    .reduce((sum, { waiting }) => sum + waiting, 0);
  const show = (search: { readonly site?: number | undefined; readonly flagged?: boolean | undefined }) =>
    void navigate({ to: path, params: { kind }, search, replace: true });
  const wanted = { kind, site, flagged };
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
            show({ flagged, site: value === '' ? undefined : Number(value) })
          }
        />
        <Checkbox
          label={text('service.flagged')}
          checked={flagged ?? false}
          onChange={(event) => show({ site, flagged: event.currentTarget.checked || undefined })}
          pb={8}
        />
        {data && <Text pb={6}>{text('service.queue.count', { count })}</Text>}
      </Group>
      {way === 'one' ? (
        <OneByOne key={JSON.stringify(wanted)} {...wanted} />
      ) : (
        <Selection key={JSON.stringify(wanted)} {...wanted} />
      )}
    </Page>
  );
}
