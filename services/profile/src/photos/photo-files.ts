import { methodNotAllowed, notFound } from '@covalence/contract/failure';
import { holdsVersion } from '@covalence/http/entity-tag';
import type { Express, RequestHandler, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import type { PhotoStorage } from './photo-storage-store.ts';
import { seenPrivately } from './private-photo.ts';

/** Names of stored photo files (contract, photo-files): nothing that could leave the folder. */
const fileName = /^[\w-]{16,80}_\d{3,4}\.(jpg|png|webp)$/;

const isMissing = (error: Error) => 'status' in error && error.status === 404;

type Headers = Readonly<Record<string, string>>;

const headersOfAll: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Names never come again, so that a copy may be kept for ever (D56, spec 2.5). */
const forEver: Headers = { ...headersOfAll, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** A copy of a private photo is shown again only after asking, so that a share that was withdrawn is over (P133). */
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
      // A client that left is not a failure.
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
  // Who left meanwhile leaves a connection to the store that others want.
  if (response.destroyed) return void content.destroy();
  response.set(headers);
  response.type(file.slice(file.lastIndexOf('.')));
  // A client that leaves now, or a store that breaks off, ends both; nobody can be told more.
  await pipeline(content, response).catch(() => undefined);
}

type Send = (
  response: Response,
  file: string,
  headers: Headers,
  fail: (error: Error) => void,
) => Promise<void>;

/** Sends stored files from wherever they are. */
const sender =
  (storage: PhotoStorage): Send =>
  async (response, file, headers, fail) => {
    if (storage.folder) sendFromFolder(response, file, { root: storage.folder, headers }, fail);
    else await sendFromStore(response, file, storage, headers);
  };

/** Sends one photo file. */
const sendPhoto =
  (send: Send): RequestHandler<{ file: string }> =>
  async (request, response, next) => {
    const { file } = request.params;
    if (!fileName.test(file)) throw notFound();
    await send(response, file, forEver, next);
  };

/** Sends a file of a private photo to the one whom its address was made for, if they may see it at this moment. */
const sendPrivatePhoto =
  (send: Send, context: Context): RequestHandler<{ file: string }> =>
  async (request, response, next) => {
    const { file } = request.params;
    const asked = context.photoAddresses.readPrivate(file);
    const photo = asked && (await seenPrivately(context, asked));
    if (!asked || !photo) throw notFound();
    const headers = { ...askFirst, ETag: `"${file}"` };
    if (holdsVersion(request, headers.ETag)) response.set(headers).status(304).end();
    else await send(response, `${photo.stem}${asked.ending}`, headers, next);
  };

const onlyGet: RequestHandler = () => {
  throw methodNotAllowed(['GET']);
};

/** Mounts GET /photos/{file}, where the name is the key, and GET /photos/private/{file}, where it says for whom (spec 2.6). */
export function mountPhotoFiles(app: Express, context: Context): void {
  const send = sender(context.photoStorage);
  app.get('/photos/:file', sendPhoto(send));
  app.get('/photos/private/:file', sendPrivatePhoto(send, context));
  for (const path of ['/photos/:file', '/photos/private/:file']) app.all(path, onlyGet);
}
