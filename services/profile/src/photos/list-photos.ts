import { endpoint } from '@covalence/http/endpoint';
import { photoObjectSchema } from '@covalence/contract/member-record';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Member, Photo } from '../members/member.ts';
import { activeCaller } from '../profiles/active-caller.ts';
import { shownPhotos } from './photo-list.ts';
import { photoObject } from './photo-object.ts';

/** One entry of GET /photo: the photo object of spec 2.5 with what the member should know of it. */
export const photoEntry = z
  .strictObject({
    ...photoObjectSchema.shape,
    id: z.int(),
    photo_pending: z.boolean(),
    photo_primary: z.boolean(),
    caption: z.string(),
    /** Pixels of the original, blurhash and average colour: null on photos from before they were kept. */
    width: z.int().nullable(),
    height: z.int().nullable(),
    blurhash: z.string().nullable(),
    color: z.string().nullable(),
    added: z.iso.datetime(),
  })
  .meta({ id: 'OwnPhoto' });

/** One photo as its owner sees it; blurhash and colour are for the time while it loads. */
export function ownPhoto(photo: Photo, baseUrl: string): z.infer<typeof photoEntry> {
  const { id, extension, width = null, height = null, blurhash = null, color = null } = photo;
  return {
    ...photoObject(photo, baseUrl),
    id,
    extension,
    urlstem: new URL(`/photos/${photo.stem}`, baseUrl).href,
    photo_pending: photo.status === 'pending',
    photo_primary: photo.primary,
    caption: photo.caption ?? '',
    width,
    height,
    blurhash,
    color,
    added: photo.added_at.toISOString(),
  };
}

/** The member's own photos: approved and pending ones, the primary one first. */
export function ownPhotos({ photos }: Member, baseUrl: string): z.infer<typeof photoEntry>[] {
  return shownPhotos(photos).map((photo) => ownPhoto(photo, baseUrl));
}

/** GET /photo: the caller's photos in their order (spec 4.12, D56). */
export const listPhotos = endpoint({
  access: 'member',
  summary: 'The own photos',
  input: z.object({}),
  output: z.array(photoEntry),
  handler: async ({ caller }, context: Context) =>
    ownPhotos(await activeCaller(context, caller), context.config.PUBLIC_URL),
});
