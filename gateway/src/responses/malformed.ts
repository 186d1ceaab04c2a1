import { badRequest, Failure } from '@covalence/contract/failure';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@covalence/runtime/logger';
import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { answerError, type Answer } from './answer.ts';

/** What the parser's and the server's own refusals answer; everything else is 400. */
const failures: Record<string, () => Failure> = {
  HPE_HEADER_OVERFLOW: () => new Failure(431, 'Request Header Fields Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Failure(408, 'Request Timeout'),
};

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Remembers which answer a connection is giving, for requests whose body turns out to be malformed. */
export type AnswersUnderWay = WeakMap<Duplex, Answer>;

/** Answers requests that do not parse or take too long with JSON and ends their connection. */
export function answerMalformed(server: Server, underWay: AnswersUnderWay, logger: Logger): void {
  server.on('clientError', (error: Error, socket: Duplex) => {
    const code = codeOf(error);
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const failure = failures[code]?.() ?? badRequest();
    const response = underWay.get(socket);
    if (!response || response.writableFinished) {
      answerErrorOnSocket(socket, failure, { requestId: randomUUID(), logger });
      return;
    }
    if (!response.headersSent) response.always('Connection', 'close');
    answerError(response, failure, logger);
  });
}
