import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { useFieldText } from './field-text.ts';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { Photos } from './photo.tsx';
import { historyQuery, type HistoryEntry } from './queries.ts';

/** The subject of a decision: a field, or a photo. */
const about = ({ field, photoid }: HistoryEntry, fieldText: (field: string) => string) => [
  ...(field === undefined ? [] : [fieldText(field)]),
  ...(photoid === undefined ? [] : [String(photoid)]),
];

/** The decisions on a member with author, time and reason, newest first. */
export function History({ member, site }: { readonly member: number; readonly site: number }) {
  const { text, valueText } = useTexts();
  const { time } = useFormats();
  const query = useInfiniteQuery(historyQuery(useApi(), member));
  const shown = (query.data?.pages ?? []).flatMap(({ entries }) => entries);
  const fieldText = useFieldText(
    site,
    shown.flatMap(({ field = [] }) => field),
  );
  return (
    <Listed query={query}>
      {(entries) =>
        entries.map((entry) => (
          <div key={entry.id}>
            <Text>{[valueText('service.action', entry.action), ...about(entry, fieldText)].join(' · ')}</Text>
            <Text size="sm" c="dimmed">
              {time(entry.at)} · <StaffName id={entry.staff_id} />
              {entry.approved_by !== undefined && (
                <>
                  {' · '}
                  <StaffName id={entry.approved_by} />
                </>
              )}
            </Text>
            {entry.reason !== null && (
              <Text size="sm">{text('service.because', { reason: entry.reason })}</Text>
            )}
            {entry.text !== undefined && (
              <Text size="sm">{text('service.quoted', { text: entry.text })}</Text>
            )}
            {entry.photo && <Photos photos={[{ ...entry.photo, status: 'rejected' }]} />}
          </div>
        ))
      }
    </Listed>
  );
}
