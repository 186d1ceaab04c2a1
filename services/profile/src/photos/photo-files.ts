import { Failure, notFound } from '@covalence/contract/failure';
import type { Express, RequestHandler, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { PhotoStorage } from './photo-storage-store.ts';

/** Names of stored photo files (contract, photo-files): nothing that could leave the folder. */
const fileName = /^[\w-]{16,80}_\d{3,4}\.(jpg|png|webp)$/;

const isMissing = (error: Error) => 'status' in error && error.status === 404;

const headers = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** Names never come again, so that a copy may be kept for ever (D56, spec 2.5). */
const forEver = 'public, max-age=31536000, immutable';

const sendFromFolder = (
  response: Response,
  file: string,
  root: string,
  fail: (error: Error) => void,
): void => {
  response.sendFile(
    file,
    { root, dotfiles: 'deny', immutable: true, maxAge: '365d', headers },
    (error: Error | undefined) => {
      // A client that left is not a failure.
      if (error && !response.headersSent) fail(isMissing(error) ? notFound() : error);
    },
  );
};

async function sendFromStore(response: Response, file: string, storage: PhotoStorage): Promise<void> {
  const content = await storage.read(file);
  if (!content) throw notFound();
  response.set({ ...headers, 'Cache-Control': forEver });
  response.type(file.slice(file.lastIndexOf('.')));
  try {
    await pipeline(content, response);
  } catch (error) {
    if (!response.headersSent) throw error;
  }
}

/** Sends one photo file. */
const sendPhoto =
  (storage: PhotoStorage): RequestHandler<{ file: string }> =>
  async (request, response, next) => {
    const { file } = request.params;
    if (!fileName.test(file)) throw notFound();
    if (storage.folder) sendFromFolder(response, file, storage.folder, next);
    else await sendFromStore(response, file, storage);
  };

const onlyGet: RequestHandler = (_request, _response, next) =>
  next(new Failure(405, 'Method Not Allowed', { headers: { Allow: 'GET' } }));

/** Mounts GET /photos/{file}: public, the name is the key. */
export function mountPhotoFiles(app: Express, storage: PhotoStorage): void {
  app.get('/photos/:file', sendPhoto(storage));
  app.all('/photos/:file', onlyGet);
}
