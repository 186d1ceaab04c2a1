import type { EndpointDocuments } from '../endpoint-document.ts';
import { cursor, pagesize, profileid, profileidInPath } from '../parameters.ts';
import { listedRecord, message } from '../samples.ts';

/** Threads and messages. */
export const messages: EndpointDocuments = {
  'GET /messages': {
    tag: 'Messages',
    description:
      'Threads, newest first, each with its newest message. `user` is null where the member may not be seen any more; `unread` counts all threads.',
    parameters: { pagesize, cursor },
    example: {
      answer: {
        threads: [{ profileid: 1002, user: listedRecord, unread: 0, last: message }],
        unread: 0,
        next: null,
      },
    },
  },
  'POST /messages': {
    tag: 'Messages',
    description:
      'Stored before it is acknowledged. Repeat the call with the same `client_message_id` and text until it is answered: it is stored once. 80016 means: repeat. Sending needs platinum, a thread that is there, or a connection. A site may limit new conversations to so many a day (429), and likes and messages to members with a confirmed e-mail address (403 without code).',
    parameters: {
      profileid,
      text: {
        schema: { type: 'string', minLength: 1, maxLength: 4_000 },
        description: '1 to 4,000 characters, not blanks alone.',
      },
      client_message_id: { description: 'Your own name of the message, unique among the member’s.' },
    },
    example: {
      request: { profileid: 1002, text: message.text, client_message_id: 'm-1' },
      answer: message,
    },
  },
  'GET /messages/:profileid': {
    tag: 'Messages',
    description: 'The messages with one member, newest first; reading them marks nothing.',
    parameters: { profileid: profileidInPath, pagesize, cursor },
    example: {
      request: { profileid: '1002' },
      answer: { profileid: 1002, messages: [message], unread: 0, next: null },
    },
  },
  'POST /messages/:profileid/read': {
    tag: 'Messages',
    description: 'Marks what that member sent as read, up to `messageid` where one is named.',
    parameters: { profileid: profileidInPath, messageid: { description: 'The last one that was read.' } },
    example: { request: { profileid: '1002', messageid: message.id }, answer: { unread: 0 } },
  },
  'DELETE /messages/:profileid': {
    tag: 'Messages',
    description: 'The thread, for the caller alone; the other keeps it.',
    parameters: { profileid: profileidInPath },
    example: { request: { profileid: '1002' }, answer: {} },
  },
  'DELETE /messages/:profileid/:messageid': {
    tag: 'Messages',
    description: 'One message, for the caller alone.',
    parameters: { profileid: profileidInPath, messageid: { description: 'The message.' } },
    example: { request: { profileid: '1002', messageid: message.id }, answer: {} },
  },
};
