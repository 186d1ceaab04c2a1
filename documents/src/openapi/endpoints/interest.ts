import type { EndpointDocument, EndpointDocuments } from '../endpoint-document.ts';
import { cursor, pagesize, profileid } from '../parameters.ts';
import { counters, listedRecord } from '../samples.ts';

const request = { profileid: 1002 };

const pages = { page: { description: 'Which of the counters.' } };

const about = (description: string, answer: unknown): EndpointDocument => ({
  tag: 'Interest',
  description: `${description} Repeating it changes nothing. A missing profileid is 403 without code.`,
  parameters: { profileid },
  example: { request, answer },
});

/** Interest between members and the counters. */
export const interest: EndpointDocuments = {
  'POST /like': about(
    'A like of someone who likes the caller makes a connection (`mutual`). The day of the limit (50001; none for subscribers) begins at midnight in the member’s `timezone`, UTC without one.',
    counters,
  ),
  'POST /unlike': about('Withdraws a like or a connection.', counters),
  'POST /decline': about(
    'Declines a received like; without one nothing changes. A bad or unknown profileid is 403 without code.',
    counters,
  ),
  'POST /block': about('Ends a connection, withdraws both likes and hides each from the other.', {}),
  'POST /unblock': about('Takes a block back; likes do not come back.', {}),
  'POST /pass': about('Hides the other from the caller’s results for 30 days; nobody is told.', {}),
  'POST /report': {
    ...about('Puts a member before Customer Service.', {}),
    parameters: { profileid, reason: { description: 'In the member’s words.' } },
    example: { request: { ...request, reason: 'Asks for money' }, answer: {} },
  },
  'GET /members/self/activity': {
    tag: 'Interest',
    description: 'The counters as they are; nothing is reset.',
    example: { answer: counters },
  },
  'GET /members/self/activity/:page': {
    tag: 'Interest',
    description:
      'Who is behind a counter, newest first, with the time in `at`. Members whose profile may not be opened are left out, so that a page may be shorter than asked for.',
    parameters: { ...pages, pagesize, cursor },
    example: {
      request: { page: 'likedme' },
      answer: { users: [{ ...listedRecord, at: '2026-03-02T18:30:00.000Z' }], next: null },
    },
  },
  'POST /members/self/activity/reset/:page': {
    tag: 'Interest',
    description: 'The member has looked at that page: its counter of new interactions begins anew.',
    parameters: pages,
    example: { request: { page: 'views' }, answer: { ...counters, views_since_reset: 0 } },
  },
};
