import { Button, Card, Group, NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { dataOf, useApi } from '../api/api.tsx';
import { Page, Problem } from '../layout/page.tsx';
import { memberName } from '../layout/member-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { HeldBy } from './held-by.tsx';
import { summaryQuery } from './queue-queries.ts';
import { categories, reportFilterIn, type ReportFilter } from './report-filter.ts';
import { reportsQuery, whichReports } from './report-queries.ts';
import { StandingBadges } from './standing.tsx';
import { WaitedSelect } from './waited-select.tsx';

const namesOf = ({ id, reporter = 0 }: { readonly id: number; readonly reporter?: number }) => ({
  reported: String(id),
  reporter: String(reporter),
});

/** Claims the oldest free report and opens it. */
export function NextReport(filter: ReportFilter) {
  const { text } = useTexts();
  const api = useApi();
  const navigate = useNavigate();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => dataOf(api.POST('/staff/queue/claim', { body: whichReports(filter) })),
    onSuccess: ({ entry }) => {
      if (entry)
        void navigate({ to: '/service/reports/$reported/$reporter', params: namesOf(entry), search: filter });
    },
  });
  return (
    <Group>
      <Button loading={isPending} onClick={() => mutate()}>
        {text('service.reports.next')}
      </Button>
      {data?.entry === null && <Text role="status">{text('service.queue.done')}</Text>}
      {error && <Problem error={error} />}
    </Group>
  );
}

const path = '/service/reports';

/** Chooses which reports are shown, and taken next. */
function Filters({ filter }: { readonly filter: ReportFilter }) {
  const { text } = useTexts();
  const navigate = useNavigate();
  const { data } = useQuery(summaryQuery(useApi()));
  const sites = (data?.queues ?? []).filter(({ kind }) => kind === 'report').map(({ siteid }) => siteid);
  const show = (change: object) =>
    void navigate({ to: path, search: reportFilterIn({ ...filter, ...change }), replace: true });
  return (
    <Group align="end">
      <NativeSelect
        label={text('service.site')}
        data={[{ value: '', label: text('service.site.all') }, ...sites.map(String)]}
        value={filter.site === undefined ? '' : String(filter.site)}
        onChange={({ currentTarget: { value } }) => show({ site: value ? Number(value) : undefined })}
      />
      <NativeSelect
        label={text('service.category')}
        data={[
          { value: '', label: text('service.site.all') },
          ...categories.map((value) => ({ value, label: text(`service.category.${value}`) })),
        ]}
        value={filter.category ?? ''}
        onChange={(event) => show({ category: event.currentTarget.value })}
      />
      <WaitedSelect filter={filter} onChange={show} />
      <NextReport {...filter} />
    </Group>
  );
}

/** The open reports. */
export function ReportsPage() {
  const { text } = useTexts();
  const { waited } = useFormats();
  const filter = useSearch({ from: path });
  const query = useInfiniteQuery(reportsQuery(useApi(), filter));
  return (
    <Page title={text('service.reports')}>
      <Filters filter={filter} />
      <Listed query={query}>
        {(entries) =>
          entries.map((entry) => (
            <Card key={entry.report_id} withBorder p="sm">
              <Group justify="space-between">
                <Link to="/service/reports/$reported/$reporter" params={namesOf(entry)} search={filter}>
                  {memberName(entry)}
                </Link>
                <StandingBadges member={entry} />
              </Group>
              <Text>
                {[
                  ...(entry.category ? [text(`service.category.${entry.category}`)] : []),
                  entry.reason || text('service.reports.noReason'),
                ].join(' · ')}
              </Text>
              <Text size="sm">
                {text('service.waitsSince', { since: waited(entry.since) })}
                {entry.claimed_by !== undefined && (
                  <>
                    {' · '}
                    <HeldBy staff={entry.claimed_by} />
                  </>
                )}
              </Text>
            </Card>
          ))
        }
      </Listed>
    </Page>
  );
}
