import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { usePerson } from '../session/person.ts';
import { useTexts } from '../texts/texts.ts';
import { Confirm, type Confirmed } from './confirm.tsx';
import { memberKey, type Member } from './queries.ts';
import { isWaiting, WaitsNote } from './second-person.tsx';

/** Suspends or deletes a member, also with an entry in the ban list, or takes either back. */
export function StandingActions({
  member: { id, siteid, suspended, deleted },
  onDone,
}: {
  readonly member: Member;
  readonly onDone?: () => void;
}) {
  const { text } = useTexts();
  const api = useApi();
  const person = usePerson();
  const queries = useQueryClient();
  const [waits, setWaits] = useState(false);
  if (!person.holdsOn(siteid, 'moderator')) return null;
  const act =
    (action: 'suspend' | 'unsuspend' | 'delete' | 'undelete') =>
    async ({ reason, chosen }: Confirmed) => {
      const params = { path: { id: String(id) } };
      const isBan = chosen.has('ban') || chosen.has('all_sites');
      const body = {
        ...(reason && { reason }),
        ...(isBan && { ban: true }),
        ...(chosen.has('all_sites') && { all_sites: true }),
      };
      setWaits(isWaiting(await dataOf(api.POST(`/staff/members/{id}/${action}`, { params, body }))));
      await queries.invalidateQueries({ queryKey: memberKey(id) });
      onDone?.();
    };
  const options = [
    { name: 'ban', label: text('service.ban.add') },
    ...(person.holdsOn('all', 'moderator')
      ? [{ name: 'all_sites', label: text('service.ban.allSites') }]
      : []),
  ];
  return (
    <Group gap="xs">
      {!deleted && (
        <Confirm
          label={text('service.suspend')}
          consequence={text('service.suspend.consequence')}
          options={options}
          run={act('suspend')}
        />
      )}
      {suspended && !deleted && (
        <Confirm
          label={text('service.unsuspend')}
          consequence={text('service.unsuspend.consequence')}
          color="teal.9"
          run={act('unsuspend')}
        />
      )}
      {!deleted && (
        <Confirm
          label={text('service.delete')}
          consequence={text('service.delete.consequence')}
          options={options}
          needsReason
          run={act('delete')}
        />
      )}
      {deleted && (
        <Confirm
          label={text('service.undelete')}
          consequence={text('service.undelete.consequence')}
          color="teal.9"
          run={act('undelete')}
        />
      )}
      {waits && <WaitsNote />}
    </Group>
  );
}
