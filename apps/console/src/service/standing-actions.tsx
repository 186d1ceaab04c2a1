import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { usePerson } from '../session/person.ts';
import { useTexts } from '../texts/texts.ts';
import { useRemoveBans } from './ban-matches.tsx';
import { Confirm, type Confirmed } from './confirm.tsx';
import { PhotoImage } from './photo.tsx';
import { bansKey, memberKey, type Member } from './queries.ts';
import { isMatch } from './review.ts';
import { isWaiting, WaitsNote } from './second-person.tsx';

const bans = ['ban', 'all_sites'];
/** Decisions that the member is owed reasons for. */
const restricting: readonly string[] = ['reject', 'suspend', 'delete'];

const photoPrefix = 'photo ';

/** The ban for the chosen options: by default everything that the call takes. */
function banOf(chosen: Confirmed['chosen'], photos: Member['photos']) {
  if (!bans.some((name) => chosen.has(name))) return {};
  const ids = photos.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const kept = ids.filter((id) => chosen.has(`${photoPrefix}${id}`));
  return {
    ban: true,
    ...(chosen.has('all_sites') && { all_sites: true }),
    ...(!chosen.has('email') && { ban_email: false }),
    ...(kept.length < ids.length && { ban_photos: kept }),
  };
}

/** Decides on the profile, suspends or deletes a member, also with entries in the ban list, or takes either back. */
export function StandingActions({
  member: { id, siteid, userstatus, suspended, deleted, waiting, flags, revision, photos: all },
  report,
  onDone,
}: {
  readonly member: Member;
  /** The report that leads to the decision. */
  readonly report?: string;
  readonly onDone?: () => void;
}) {
  const { text } = useTexts();
  const api = useApi();
  const person = usePerson();
  const queries = useQueryClient();
  const [waits, setWaits] = useState(false);
  const removeBans = useRemoveBans();
  if (!person.holdsOn(siteid, 'moderator')) return null;
  const photos = all.filter(({ status }) => status !== 'deleted');
  const act =
    (action: 'approve' | 'reject' | 'suspend' | 'unsuspend' | 'delete' | 'undelete') =>
    async ({ why, chosen }: Confirmed) => {
      const params = { path: { id: String(id) } };
      const isOnProfile = action === 'approve' || action === 'reject';
      const body = {
        ...why,
        ...(report !== undefined && restricting.includes(action) && { report_id: report }),
        ...(isOnProfile && { revision }),
        ...(chosen.has(removeBans.name) && { remove_bans: true }),
        ...(chosen.has('mistaken') && { mistaken: true }),
        ...banOf(chosen, photos),
      };
      setWaits(isWaiting(await dataOf(api.POST(`/staff/members/{id}/${action}`, { params, body }))));
      await Promise.all([memberKey(id), bansKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone?.();
    };
  const onAccount = { kind: 'account', site: siteid } as const;
  const options = [
    { name: 'ban', label: text('service.ban.add') },
    ...(person.holdsOn('all', 'moderator')
      ? [{ name: 'all_sites', label: text('service.ban.allSites') }]
      : []),
    { name: 'email', label: text('service.field.email'), isDefault: true, needs: bans },
    ...photos.map((photo) => ({
      name: `${photoPrefix}${photo.id ?? 0}`,
      label: <PhotoImage photo={photo} size="square250" />,
      isDefault: true,
      needs: bans,
    })),
  ];
  return (
    <Group gap="xs">
      {/* An approved profile waits where staff are to look at its member. */}
      {!deleted && (userstatus !== 'approved' || waiting.profile !== undefined) && (
        <Confirm
          label={text('service.approve')}
          consequence={text(isMatch(flags) ? 'service.approve.matched' : 'service.approve.consequence')}
          color="teal.9"
          options={isMatch(flags) ? [removeBans] : []}
          run={act('approve')}
        />
      )}
      {!deleted && userstatus !== 'rejected' && (
        <Confirm
          label={text('service.reject')}
          consequence={text('service.reject.consequence')}
          saved={{ kind: 'profile', site: siteid }}
          needsReason
          run={act('reject')}
        />
      )}
      {!deleted && (
        <Confirm
          label={text('service.suspend')}
          consequence={text('service.suspend.consequence')}
          saved={onAccount}
          options={options}
          needsReason
          run={act('suspend')}
        />
      )}
      {suspended && !deleted && (
        <Confirm
          label={text('service.unsuspend')}
          consequence={text('service.unsuspend.consequence')}
          color="teal.9"
          options={[{ name: 'mistaken', label: text('service.unsuspend.mistaken') }]}
          run={act('unsuspend')}
        />
      )}
      {!deleted && (
        <Confirm
          label={text('service.delete')}
          consequence={text('service.delete.consequence')}
          saved={onAccount}
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
