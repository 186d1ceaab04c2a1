import { methodNotAllowed, notFound } from '@covalence/contract/failure';
import { holdsVersion } from '@covalence/http/entity-tag';
import type { Express, RequestHandler, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { PhotosContext } from './photos.ts';
import type { Photo } from '../members/document/member.ts';
import type { PhotoStorage } from './photo-storage-store.ts';
import { photoNamed } from '../members/document/photos.ts';
import { photoSigned } from './signed-photo.ts';

/** A public name, then the suffix and extension of the file. */
const publicFile = /^(?<name>[\w-]{16,80})(?<ending>_\d{3,4}\.(jpg|png|webp))$/;

const isMissing = (error: Error) => 'status' in error && error.status === 404;

type Headers = Readonly<Record<string, string>>;

const headersOfAll: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Caches keep a public photo for at most an hour after it stops being public. */
const forAnHour: Headers = { ...headersOfAll, 'Cache-Control': 'public, max-age=3600' };

/** Caches revalidate a signed photo with every use, so that a viewer who lost access does not see it. */
const askFirst: Headers = { ...headersOfAll, 'Cache-Control': 'private, no-cache' };

const sendFromFolder = (
  response: Response,
  file: string,
  options: { readonly root: string; readonly headers: Headers },
  fail: (error: Error) => void,
): void => {
  response.sendFile(
    file,
    { ...options, dotfiles: 'deny', cacheControl: false },
    (error: Error | undefined) => {
      // A client that disconnects is no error.
      if (error && !response.headersSent && !response.destroyed) fail(isMissing(error) ? notFound() : error);
    },
  );
};

async function sendFromStore(
  response: Response,
  file: string,
  storage: PhotoStorage,
  headers: Headers,
): Promise<void> {
  const content = await storage.read(file);
  if (!content) throw notFound();
  // The client disconnected: free the connection to the store.
  if (response.destroyed) return void content.destroy();
  response.set(headers);
  response.type(file.slice(file.lastIndexOf('.')));
  // The headers are sent, so an error of client or store can only end the response.
  await pipeline(content, response).catch(() => undefined);
}

type Send = (
  response: Response,
  file: string,
  headers: Headers,
  fail: (error: Error) => void,
) => Promise<void>;

/** Sends stored files from the folder or the S3-compatible store. */
const sender =
  (storage: PhotoStorage): Send =>
  async (response, file, headers, fail) => {
    if (storage.folder) sendFromFolder(response, file, { root: storage.folder, headers }, fail);
    else await sendFromStore(response, file, storage, headers);
  };

/** A requested photo, and the end of its file name. */
interface FoundFile {
  readonly photo: Pick<Photo, 'stem'>;
  readonly ending: string;
}

async function publicFileOf({ members }: PhotosContext, file: string): Promise<FoundFile | undefined> {
  const { name, ending = '' } = publicFile.exec(file)?.groups ?? {};
  const owner = name === undefined ? undefined : await members.store.byPublicPhoto(name);
  const photo = owner && name && photoNamed(owner, name);
  return photo ? { photo, ending } : undefined;
}

async function signedFileOf(context: PhotosContext, file: string): Promise<FoundFile | undefined> {
  const asked = context.records.photoAddresses.readSigned(file);
  const photo = asked && (await photoSigned(context, asked));
  return photo && { photo, ending: asked.ending };
}

type Find = (context: PhotosContext, file: string) => Promise<FoundFile | undefined>;

/** Sends the file that `find` resolves a name to. The bytes behind a name never change. */
const sendPhoto =
  (find: Find, allowed: Headers, send: Send, context: PhotosContext): RequestHandler<{ file: string }> =>
  async (request, response, next) => {
    const { file } = request.params;
    const found = await find(context, file);
    if (!found) throw notFound();
    const headers = { ...allowed, ETag: `"${file}"` };
    if (holdsVersion(request, headers.ETag)) response.set(headers).status(304).end();
    else await send(response, `${found.photo.stem}${found.ending}`, headers, next);
  };

const onlyGet: RequestHandler = () => {
  throw methodNotAllowed(['GET']);
};

/**
 * Mounts GET /photos/{file} for public photos and GET /photos/private/{file} for signed addresses. Neither contains
 * the name of the stored file; access is checked with each call.
 */
export function mountPhotoFiles(app: Express, context: PhotosContext): void {
  const send = sender(context.photos.storage);
  app.get('/photos/:file', sendPhoto(publicFileOf, forAnHour, send, context));
  app.get('/photos/private/:file', sendPhoto(signedFileOf, askFirst, send, context));
  for (const path of ['/photos/:file', '/photos/private/:file']) app.all(path, onlyGet);
}
