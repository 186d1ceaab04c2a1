import { Failure, notFound } from '@covalence/contract/failure';
import type { Express, RequestHandler } from 'express';

/** Names of stored photo files (contract, photo-files): nothing that could leave the folder. */
const fileName = /^[\w-]{16,80}_\d{3,4}\.(jpg|png|webp)$/;

const isMissing = (error: Error) => 'status' in error && error.status === 404;

/** Sends one photo file; names never come again, so that a copy may be kept for ever (D56, spec 2.5). */
const sendPhoto =
  (folder: string): RequestHandler<{ file: string }> =>
  (request, response, next) => {
    const { file } = request.params;
    if (!fileName.test(file)) return next(notFound());
    const headers = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' };
    response.sendFile(
      file,
      { root: folder, dotfiles: 'deny', immutable: true, maxAge: '365d', headers },
      (error: Error | undefined) => {
        // A client that left is not a failure.
        if (error && !response.headersSent) next(isMissing(error) ? notFound() : error);
      },
    );
  };

const onlyGet: RequestHandler = (_request, _response, next) =>
  next(new Failure(405, 'Method Not Allowed', { headers: { Allow: 'GET' } }));

/** Mounts GET /photos/{file}: public, the name is the key. */
export function mountPhotoFiles(app: Express, folder: string): void {
  app.get('/photos/:file', sendPhoto(folder));
  app.all('/photos/:file', onlyGet);
}
