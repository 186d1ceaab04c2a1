import { badRequest, Failure } from '@covalence/contract/failure';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@covalence/runtime/logger';
import { answerErrorOnSocket } from '@covalence/http/socket-answer';
import { answerError, type Answer } from './answer.ts';

/** Responses to errors of the parser and the server; every other error is 400. */
const failures: Record<string, () => Failure> = {
  HPE_HEADER_OVERFLOW: () => new Failure(431, 'Request Header Fields Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Failure(408, 'Request Timeout'),
};

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Remembers the current response of a connection, for requests with a malformed body. */
export type AnswersUnderWay = WeakMap<Duplex, Answer>;

/** Answers malformed and slow requests with JSON and closes their connection. */
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
