import { methodNotAllowed, notFound, orNotFound } from '@covalence/contract/failure';
import { holdsVersion } from '@covalence/http/entity-tag';
import type { Express, RequestHandler, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { refusalOf } from '../pairs/eligibility.ts';
import type { PhotosContext } from './photos.ts';
import { isActive } from '../members/document/member-values.ts';
import type { Member, Photo } from '../members/document/member.ts';
import { relationOf } from '../pairs/pair.ts';
import { staffViewer, type SignedFile } from '../record/photo-address.ts';
import type { PhotoStorage } from './photo-storage-store.ts';
import { isOpen, photoNamed } from '../members/document/photos.ts';

/**
 * Whether a member may see another's approved photo now. A private photo needs sharing and access to the profile; any
 * other photo is visible wherever the member is, as beside messages.
 */
async function isSeenBy(
  context: PhotosContext,
  viewerId: number,
  owner: Member,
  { private: isPrivate }: Photo,
): Promise<boolean> {
  if (isPrivate && !context.records.photoSharing) return false;
  const [viewer, { sides }] = await Promise.all([
    context.members.store.byId(viewerId),
    context.pairs.store.read(viewerId, owner._id),
  ]);
  if (!viewer || !isActive(viewer)) return false;
  const relation = relationOf(sides);
  if (isPrivate && !relation.seesPrivate) return false;
  const purpose = isPrivate ? 'profile' : 'thread';
  return refusalOf(context, { viewer, other: owner, relation, purpose }) === undefined;
}

/**
 * The photo behind a signed address, if its viewer may see it now. Staff see it while it exists or is held; an active
 * owner while it exists; others while it is approved and visible to them.
 */
async function photoSigned(context: PhotosContext, { viewer, photo: id }: SignedFile) {
  const owner = await context.members.store.byPhoto(id);
  const photo = owner?.photos.find((each) => each.id === id);
  if (!owner || !photo || photo.status === 'deleted')
    return viewer === staffViewer ? context.photos.findHeld(id) : undefined;
  if (viewer === staffViewer) return photo;
  if (viewer === owner._id) return isActive(owner) ? photo : undefined;
  return isOpen(photo) && (await isSeenBy(context, viewer, owner, photo)) ? photo : undefined;
}

/** A public name, then the suffix and extension of the file. */
const publicFile = /^(?<name>[\w-]{16,80})(?<ending>_\d{3,4}\.(jpg|png|webp))$/;

const isMissing = (error: Error) => 'status' in error && error.status === 404;

type Headers = Readonly<Record<string, string>>;

const headersOfAll: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Caches keep a public photo for at most an hour after it stops being public. */
const cachedForAnHour: Headers = { ...headersOfAll, 'Cache-Control': 'public, max-age=3600' };

/** Caches revalidate a signed photo with every use, so that a viewer who lost access does not see it. */
const revalidated: Headers = { ...headersOfAll, 'Cache-Control': 'private, no-cache' };

async function sendFile(
  storage: PhotoStorage,
  response: Response,
  file: string,
  headers: Headers,
  fail: (error: Error) => void,
): Promise<void> {
  if (storage.folder) {
    const options = { root: storage.folder, headers, dotfiles: 'deny', cacheControl: false } as const;
    return response.sendFile(file, options, (error: Error | undefined) => {
      // A client that disconnects is no error.
      if (error && !response.headersSent && !response.destroyed) fail(isMissing(error) ? notFound() : error);
    });
  }
  const content = orNotFound(await storage.read(file));
  // The client disconnected: free the connection to the store.
  if (response.destroyed) return void content.destroy();
  response.set(headers);
  response.type(file.slice(file.lastIndexOf('.')));
  // The headers are sent, so an error of client or store can only end the response.
  await pipeline(content, response).catch(() => undefined);
}

/** The stored file behind the name in an address, or undefined where nobody may fetch it. */
type Find = (context: PhotosContext, file: string) => Promise<string | undefined>;

const publicFileOf: Find = async ({ members }, file) => {
  const { name, ending = '' } = publicFile.exec(file)?.groups ?? {};
  const owner = name === undefined ? undefined : await members.store.byPublicPhoto(name);
  const photo = owner && name && photoNamed(owner, name);
  return photo ? `${photo.stem}${ending}` : undefined;
};

const signedFileOf: Find = async (context, file) => {
  const signed = context.records.photoAddresses.readSigned(file);
  const photo = signed && (await photoSigned(context, signed));
  return photo && `${photo.stem}${signed.ending}`;
};

/** Sends the file that `find` resolves a name to. The bytes behind a name never change. */
const sendPhoto =
  (find: Find, allowed: Headers, context: PhotosContext): RequestHandler<{ file: string }> =>
  async (request, response, next) => {
    const { file } = request.params;
    const found = orNotFound(await find(context, file));
    // Not the name in a signed address, which opens the photo.
    const name = `photo${found.slice(found.lastIndexOf('.'))}`;
    const headers = {
      ...allowed,
      ETag: `"${file}"`,
      'Content-Disposition': `inline; filename="${name}"`,
    };
    if (holdsVersion(request, headers.ETag)) response.set(headers).status(304).end();
    else await sendFile(context.photos.storage, response, found, headers, next);
  };

const onlyGet: RequestHandler = () => {
  throw methodNotAllowed(['GET']);
};

/** Mounts GET /photos/{file} for public photos and GET /photos/private/{file} for signed addresses. Each call checks access. */
export function mountPhotoFiles(app: Express, context: PhotosContext): void {
  app.get('/photos/:file', sendPhoto(publicFileOf, cachedForAnHour, context));
  app.get('/photos/private/:file', sendPhoto(signedFileOf, revalidated, context));
  for (const path of ['/photos/:file', '/photos/private/:file']) app.all(path, onlyGet);
}
