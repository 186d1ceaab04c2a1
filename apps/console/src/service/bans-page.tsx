import { NumberInput, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { Page } from '../layout/page.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { bansKey, bansQuery } from './queries.ts';

const typedMs = 300;

/** The ban list: who was banned, until when, and why. It shows no address and no photo. */
export function BansPage() {
  const { text } = useTexts();
  const { time } = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const [member, setMember] = useState<number | string>('');
  const [wanted] = useDebouncedValue(member, typedMs);
  const query = useInfiniteQuery(bansQuery(api, wanted === '' ? undefined : Number(wanted)));
  return (
    <Page title={text('service.bans')}>
      <Text>{text('service.bans.how')}</Text>
      <NumberInput
        label={text('service.bans.member')}
        value={member}
        onChange={setMember}
        min={1}
        allowDecimal={false}
        hideControls
        maw={240}
      />
      <Listed query={query}>
        {(entries) => (
          <WideTable
            minWidth={720}
            head={[
              text('service.bans.what'),
              text('service.site'),
              text('service.bans.memberShort'),
              text('service.bans.added'),
              text('service.bans.expires'),
              text('service.confirm.reason'),
              text('search.action'),
            ]}
          >
            {entries.map((ban) => (
              <Table.Tr key={ban.ban_id}>
                <Table.Td>{text(`service.flag.${ban.kind}`)}</Table.Td>
                <Table.Td>{ban.siteid ?? text('service.site.all')}</Table.Td>
                <Table.Td>
                  {ban.id === null ? (
                    '–'
                  ) : (
                    <Link to="/service/members/$id" params={{ id: String(ban.id) }}>
                      {ban.id}
                    </Link>
                  )}
                </Table.Td>
                <Table.Td>
                  {time(ban.at)} · <StaffName id={ban.staff_id} />
                </Table.Td>
                <Table.Td>{time(ban.expires_at)}</Table.Td>
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
    </Page>
  );
}
