import { Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dataOf, useApi } from '../api/api.tsx';
import { Part } from '../layout/part.tsx';
import { useTexts } from '../texts/texts.ts';
import { Bans } from './bans.tsx';
import { Confirm, type Confirmed } from './confirm.tsx';
import { PhotoImage } from './photo.tsx';
import { bansKey, memberKey, type Member } from './queries.ts';

/** The option of an approval that clears somebody whom the ban list holds by mistake. */
export function useRemoveBans() {
  const { text } = useTexts();
  return { name: 'remove_bans', label: text('service.approve.removeBans') };
}

/** The entries of the ban list that match a member, and the matching photos to approve. */
export function BanMatches({ member: { id, photos } }: { readonly member: Member }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const removeBans = useRemoveBans();
  const held = photos.filter(({ flagged, status }) => flagged && status !== 'rejected');
  const approve =
    ({ id: photoid, revision }: Member['photos'][number]) =>
    async ({ why, chosen }: Confirmed) => {
      const params = { path: { photoid: String(photoid) } };
      const body = { ...why, revision, remove_bans: chosen.has(removeBans.name) };
      await dataOf(api.POST('/staff/photos/{photoid}/approve', { params, body }));
      await Promise.all([memberKey(id), bansKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    };
  return (
    <Part title={text('service.bans.matches')}>
      <Stack>
        <Bans matches={id} />
        {held.map((photo) => (
          <Group key={photo.id}>
            <PhotoImage photo={photo} size="square250" />
            <Confirm
              label={text('service.approve')}
              consequence={text('service.approve.photo')}
              color="teal.9"
              options={[removeBans]}
              run={approve(photo)}
            />
          </Group>
        ))}
      </Stack>
    </Part>
  );
}
