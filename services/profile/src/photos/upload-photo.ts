import { bodyLimits } from '@covalence/contract/body-limits';
import { parseBoolean } from '@covalence/contract/catalogue/check-value';
import { Failure, invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { normalizedText } from '@covalence/contract/normalized-text';
import { isPresent, optional, unchecked } from '@covalence/contract/parameters';
import { UploadedFile } from '@covalence/http/multipart';
import { z } from 'zod';
import type { PhotosContext } from './photos.ts';
import { siteOf } from '../members/members.ts';
import { textOf } from '../members/document/member-values.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { contactDataOf } from '../members/checks/check-texts.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { changePhotos } from './change-photos.ts';
import { imageLimit, imageTypeOf } from './image/image-type.ts';
import type { RenderedPhoto } from './image/render-photo.ts';
import { photoEntry, photoShown } from './list-photos.ts';
import { newPhotoName, shownPhotos } from '../members/document/photos.ts';
import { suspicionOf } from '../members/document/suspicion.ts';
import { shownPhoto, withPhoto } from './photo-list.ts';
import { settleUpload } from './purge-photos.ts';

/** The bytes of the uploaded or fetched image. Throws 11201, 11204, 11205 or 11206. */
async function readImage(context: PhotosContext, image: unknown, imageurl: unknown): Promise<Buffer> {
  if (isPresent(image)) {
    // A text instead of a file.
    if (!(image instanceof UploadedFile)) throw invalidArgument(failCodes.imageTypeUnsupported);
    if (image.tooLarge) throw invalidArgument(failCodes.imageTooLarge);
    return image.bytes;
  }
  if (typeof imageurl !== 'string') throw invalidArgument(failCodes.imageMissing);
  return context.photos.fetcher.fetch(imageurl.trim());
}

async function render(context: PhotosContext, member: Member, bytes: Buffer): Promise<RenderedPhoto> {
  const type = imageTypeOf(bytes);
  if (!type) throw invalidArgument(failCodes.imageTypeUnsupported);
  const result = await context.photos.pool.render(member._id, { bytes, type });
  if ('rendered' in result) return result.rendered;
  context.logger.info({ type, bytes: bytes.length, reason: result.refused }, 'image refused');
  throw invalidArgument(failCodes.imageUnprocessable);
}

/** Reads whether the photo is private. Throws 403 without code where it is no boolean, or where photo sharing is off. */
function readPrivate({ records }: PhotosContext, value: unknown): boolean {
  if (!isPresent(value)) return false;
  const isPrivate = parseBoolean(value);
  if (isPrivate === undefined || (isPrivate && !records.photoSharing)) throw invalidArgument();
  return isPrivate;
}

/** Throws 11203 where the member has as many approved and pending photos as the site allows. */
function checkLimit(context: PhotosContext, { photos, siteid }: Member): void {
  if (shownPhotos(photos).length >= siteOf(context, siteid).photo_limit)
    throw invalidArgument(failCodes.photoLimitReached);
}

/** Whether a photo needs no review: the site reviews automatically and the caption has no contact data. */
const isApproved = (context: PhotosContext, member: Member, caption: string): boolean =>
  siteOf(context, member.siteid).review === 'automatic' &&
  !contactDataOf('photo_caption', caption, textOf(member, 'country')).length;

type NewPhoto = Omit<Photo, 'order' | 'primary'>;

/** A rendered upload as the member's document has it. */
async function newPhoto(
  context: PhotosContext,
  member: Member,
  { files, width, height, blurhash, color, hashes }: RenderedPhoto,
  { caption, isPrivate }: { readonly caption: string; readonly isPrivate: boolean },
): Promise<NewPhoto> {
  const matches = await context.photos.bans.of(hashes, member.siteid);
  return {
    id: await context.members.ids.takeOne('photo'),
    stem: newPhotoName(),
    extension: '.jpg',
    sizes: files.map(({ size }) => size),
    status: isApproved(context, member, caption) ? 'approved' : 'pending',
    added_at: context.clock(),
    width,
    height,
    blurhash,
    color,
    ...(isPrivate && { private: true }),
    ...(caption && { caption }),
    ...suspicionOf(matches),
  };
}

/** Adds the photo to the member's document and ends the upload, unless the outcome of the write is unknown. */
async function addPhoto(context: PhotosContext, member: Member, photo: NewPhoto): Promise<Member> {
  const settle = () =>
    settleUpload(context, photo).catch((error: unknown) =>
      context.logger.warn({ err: error }, 'upload not ended; the job photo-purge retries'),
    );
  try {
    const after = await changePhotos(context, member, (current) => {
      checkLimit(context, current);
      return withPhoto(current.photos, photo);
    });
    await settle();
    return after;
  } catch (error) {
    // Only a refusal means for certain that nothing was written.
    if (error instanceof Failure && error.status === 403) await settle();
    throw error;
  }
}

/** POST /photo */
export const uploadPhoto = memberEndpoint({
  tag: 'Photos',
  operationId: 'uploadPhoto',
  summary: 'Upload a photo',
  description:
    'Send one image: the file part `image` of a multipart form, or the address of one as `imageurl`, in a form or in JSON. BMP, GIF, ICO, JPG and PNG up to 5 MiB; metadata is removed.',
  answer: 'The photo.',
  example: { request: { imageurl: 'https://pictures.example/lake.jpg', caption: 'At the lake' } },
  upload: { file: 'image', maxBytes: imageLimit },
  bodyLimit: bodyLimits.photo,
  input: z.object({
    image: unchecked({ type: 'string', format: 'binary', description: 'The file, in multipart forms only.' }),
    imageurl: unchecked({ type: 'string', format: 'uri', description: 'Where to fetch the image.' }),
    caption: optional(normalizedText(255)).meta({ description: 'Shown below the photo.' }),
    private: unchecked({
      type: 'boolean',
      default: false,
      description: 'Whether only members with whom it is shared see it. It cannot be changed later.',
    }),
  }),
  output: photoEntry,
  codes: [
    failCodes.imageMissing,
    failCodes.imageAndUrl,
    failCodes.photoLimitReached,
    failCodes.imageUnprocessable,
    failCodes.imageTooLarge,
    failCodes.imageTypeUnsupported,
  ],
  handler: async ({ input, member }, context: PhotosContext) => {
    const { image, imageurl, caption = '' } = input;
    const isPrivate = readPrivate(context, input.private);
    if (isPresent(image) && isPresent(imageurl)) throw invalidArgument(failCodes.imageAndUrl);
    if (!isPresent(image) && !isPresent(imageurl)) throw invalidArgument(failCodes.imageMissing);
    checkLimit(context, member);
    const rendered = await render(context, member, await readImage(context, image, imageurl));
    const photo = await newPhoto(context, member, rendered, { caption, isPrivate });
    // The note names the files in case the process ends before the member has the photo.
    await context.photos.uploads.begin(photo, context.clock());
    await context.photos.storage.put(photo, rendered.files);
    const after = await addPhoto(context, member, photo);
    const stored = shownPhoto(after, photo.id);
    if (!stored) throw new Error('the uploaded photo is not in the member document');
    return photoShown(stored, context.records.photoAddresses.of(member._id)(after, stored));
  },
});
