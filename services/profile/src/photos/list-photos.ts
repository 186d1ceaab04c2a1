import { isPresent, otherProfileid } from '@covalence/contract/parameters';
import { photoObjectSchema } from '@covalence/contract/member-record';
import { z } from 'zod';
import { refusalCodes, checkEncounter } from '../pairs/eligibility.ts';
import type { PhotosContext } from './photos.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { relationOf } from '../pairs/pair.ts';
import { twoMembersEndpoint } from '../members/member-endpoint.ts';
import { countToday } from '../pairs/daily-limit.ts';
import { shownPhotos } from '../members/document/photos.ts';
import { photoObject, visiblePhotos } from '../record/fields/photo-object.ts';

const orNull = <Value>(schema: z.ZodType<Value>, example: Value) =>
  schema.nullable().meta({ examples: [example] });

/** One entry of GET /photo: the photo object of a record, with more about the photo. */
export const photoEntry = z
  .strictObject({
    ...photoObjectSchema.shape,
    id: z.int().meta({ examples: [4711] }),
    photo_pending: z.boolean(),
    photo_primary: z.boolean().meta({ examples: [true] }),
    private: z.boolean(),
    caption: z.string().meta({ examples: ['At the lake'] }),
    /** Size in pixels, blurhash and color of the original; null on imported photos. */
    width: orNull(z.int(), 1600),
    height: orNull(z.int(), 1200),
    blurhash: orNull(z.string(), 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'),
    color: orNull(z.string(), '#8a7f70'),
    added: z.iso.datetime(),
  })
  .meta({ id: 'OwnPhoto' });

/** A photo with its address for one viewer. */
export function photoShown(photo: Photo, urlstem: string): z.infer<typeof photoEntry> {
  const { id, extension, width = null, height = null, blurhash = null, color = null } = photo;
  return {
    ...photoObject(photo, urlstem),
    id,
    extension,
    urlstem,
    photo_pending: photo.status === 'pending',
    photo_primary: photo.primary,
    private: photo.private ?? false,
    caption: photo.caption ?? '',
    width,
    height,
    blurhash,
    color,
    added: photo.added_at.toISOString(),
  };
}

/** The member's own approved and pending photos, the primary one first. */
export function ownPhotos({ records }: Pick<PhotosContext, 'records'>, member: Member) {
  const address = records.photoAddresses.of(member._id);
  return shownPhotos(member.photos).map((photo) => photoShown(photo, address(member, photo)));
}

/** The photos of another member, if the viewer may open the profile. Counts toward the viewer's daily limit. */
const photosOf = async (context: PhotosContext, viewer: Member, found: Member | undefined) => {
  const pair = found && (await context.pairs.store.read(viewer._id, found._id));
  const relation = relationOf(pair?.sides);
  const { photoAddresses, photoSharing } = context.records;
  const { other } = checkEncounter(context, { viewer, other: found, relation, purpose: 'profile' });
  await countToday(context, viewer, 'views', { other: other._id });
  const address = photoAddresses.of(viewer._id);
  return visiblePhotos(other, photoSharing && relation.seesPrivate).map((photo) =>
    photoShown(photo, address(other, photo)),
  );
};

/** GET /photo */
export const listPhotos = twoMembersEndpoint({
  tag: 'Photos',
  operationId: 'listPhotos',
  summary: 'List the photos of a member',
  description:
    'The own photos, approved and pending, the primary one first. With `profileid`, the photos of another member that the caller may see; this does not count as a view. A site may limit the members whose profile or photos are opened in a day (429).',
  answer: 'The photos.',
  input: z.object({ profileid: otherProfileid }),
  output: z.array(photoEntry),
  codes: refusalCodes('profile'),
  handler: async ({ input: { profileid }, member: viewer, other }, context: PhotosContext) => {
    if (!isPresent(profileid) || profileid === 'self') return ownPhotos(context, viewer);
    return other?._id === viewer._id ? ownPhotos(context, viewer) : photosOf(context, viewer, other);
  },
});
