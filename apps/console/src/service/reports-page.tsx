import { Button, Card, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { dataOf, useApi } from '../api/api.tsx';
import { Page, Problem } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { Listed } from './listed.tsx';
import { reportsQuery } from './report-queries.ts';
import { StandingBadges } from './standing.tsx';

const namesOf = ({ id, reporter = 0 }: { readonly id: number; readonly reporter?: number }) => ({
  reported: String(id),
  reporter: String(reporter),
});

/** Claims the oldest free report and opens it. */
export function NextReport() {
  const { text } = useTexts();
  const api = useApi();
  const navigate = useNavigate();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => dataOf(api.POST('/staff/queue/claim', { body: { kind: 'report' } })),
    onSuccess: ({ entry }) => {
      if (entry) void navigate({ to: '/service/reports/$reported/$reporter', params: namesOf(entry) });
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

/** The open reports. */
export function ReportsPage() {
  const { text } = useTexts();
  const { waited, staff } = useFormats();
  const query = useInfiniteQuery(reportsQuery(useApi()));
  return (
    <Page title={text('service.reports')}>
      <NextReport />
      <Listed query={query}>
        {(entries) =>
          entries.map((entry) => (
            <Card key={entry.report_id} withBorder p="sm">
              <Group justify="space-between">
                <Link to="/service/reports/$reported/$reporter" params={namesOf(entry)}>
                  {`${entry.username} (${entry.id})`}
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
                {[
                  text('service.waitsSince', { since: waited(entry.since) }),
                  ...(entry.claimed_by ? [text('service.heldBy', { staff: staff(entry.claimed_by) })] : []),
                ].join(' · ')}
              </Text>
            </Card>
          ))
        }
      </Listed>
    </Page>
  );
}
