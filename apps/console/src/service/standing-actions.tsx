import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dataOf, useApi } from '../api/api.tsx';
import { usePerson } from '../session/person.ts';
import { useTexts } from '../texts/texts.ts';
import { Confirm, type Confirmed } from './confirm.tsx';
import { memberKey, type Member } from './queries.ts';

/** Suspends or deletes a member, also with an entry in the ban list, or ends a suspension. */
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
  if (!person.holdsOn(siteid, 'moderator')) return null;
  const act =
    (action: 'suspend' | 'unsuspend' | 'delete') =>
    async ({ reason, chosen }: Confirmed) => {
      const params = { path: { id: String(id) } };
      const isBan = chosen.has('ban') || chosen.has('all_sites');
      const body = {
        ...(reason && { reason }),
        ...(isBan && { ban: true }),
        ...(chosen.has('all_sites') && { all_sites: true }),
      };
      await dataOf(api.POST(`/staff/members/{id}/${action}`, { params, body }));
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
    </Group>
  );
}
