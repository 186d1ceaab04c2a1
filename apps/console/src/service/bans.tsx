import { Table } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf, useApi } from '../api/api.tsx';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { bansKey, bansQuery, type BanFilter } from './queries.ts';

/** Entries of the ban list: who was banned, until when, and why. They show no address and no photo. */
export function Bans(filter: BanFilter) {
  const { text } = useTexts();
  const { time } = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  // Beside an entry of the queue there is room for what decides on it.
  const isWide = filter.matches === undefined;
  return (
    <Listed query={useInfiniteQuery(bansQuery(api, filter))}>
      {(entries) => (
        <WideTable
          minWidth={isWide ? 720 : 420}
          head={[
            text('service.bans.what'),
            ...(isWide ? [text('service.site')] : []),
            text('service.bans.memberShort'),
            text('service.bans.added'),
            ...(isWide ? [text('service.bans.expires')] : []),
            text('service.confirm.reason'),
            text('search.action'),
          ]}
        >
          {entries.map((ban) => (
            <Table.Tr key={ban.ban_id}>
              <Table.Td>{text(`service.flag.${ban.kind}`)}</Table.Td>
              {isWide && <Table.Td>{ban.siteid ?? text('service.site.all')}</Table.Td>}
              <Table.Td>
                {ban.id === null ? '–' : <MemberLink id={ban.id} username={ban.username} />}
              </Table.Td>
              <Table.Td>
                {time(ban.at)} · <StaffName id={ban.staff_id} />
              </Table.Td>
              {isWide && <Table.Td>{time(ban.expires_at)}</Table.Td>}
              <Table.Td>{ban.reason ?? '–'}</Table.Td>
              <Table.Td>
                <Confirm
                  label={text('service.bans.remove')}
                  consequence={text('service.bans.remove.consequence')}
                  hasReason={false}
                  run={async () => {
                    const params = { path: { banid: ban.ban_id } };
                    await dataOf(api.DELETE('/staff/bans/{banid}', { params }));
                    await queries.invalidateQueries({ queryKey: bansKey });
                  }}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
    </Listed>
  );
}
