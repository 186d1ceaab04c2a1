import { entityTag, holdsVersion } from '@covalence/http/entity-tag';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';

/** A file or page that the gateway serves itself, by GET and HEAD. */
export interface OwnPage {
  /** Its name in metrics. */
  readonly name: string;
  /** Whether pages of other origins may read it. */
  readonly forAll: boolean;
  answer(request: IncomingMessage, answer: Answer): void;
}

/** Finds the page of a path without query. */
export type OwnPages = (path: string) => OwnPage | undefined;

/** Content in memory, with the headers of every answer. */
export interface StoredFile {
  readonly type: string;
  readonly content: Buffer;
  readonly headers: OutgoingHttpHeaders;
}

const takesGzip = ({ headers }: IncomingMessage) => /\bgzip\b/.test(headers['accept-encoding'] ?? '');

/** Compresses the content once; answers with it, or with 304 to a client that has it. */
export function storedFile({ type, content, headers }: StoredFile): OwnPage['answer'] {
  const gzip = gzipSync(content);
  const etag = entityTag(content);
  return (request, answer) => {
    const common = {
      ETag: etag,
      Vary: [answer.saidAlways('Vary') ?? [], 'Accept-Encoding'].flat().join(', '),
      ...headers,
    };
    if (holdsVersion(request, etag)) {
      answer.begin(304, common).end();
      return;
    }
    const packed = takesGzip(request);
    const body = packed ? gzip : content;
    answer.begin(200, {
      ...common,
      'Content-Type': type,
      'Content-Length': body.length,
      ...(packed && { 'Content-Encoding': 'gzip' }),
    });
    answer.end(request.method === 'HEAD' ? undefined : body);
  };
}
