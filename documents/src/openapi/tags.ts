import type { Tag } from '@covalence/http/endpoint';

/** The groups of the document with their descriptions, in the order in which the page shows them. */
export const tags: Readonly<Record<Tag, string>> = {
  'Sign-in': 'The authorization server at {auth_url}.',
  'Hosted pages':
    'Pages that the browser shows during sign-in. Apps open the first one and wait for redirect_uri.',
  Members: 'Registration and the own profile.',
  Interest: 'Likes, declines, blocks, passes, reports, and the members behind the counters.',
  Photos: 'The own photos.',
  Messages: 'Threads and messages.',
  Search: 'Search, saved searches and match criteria.',
  Membership: 'Packages, rates and the paid membership.',
  'Live updates': 'The WebSocket, described at /asyncapi.json, and push messages to devices without one.',
  Staff: 'Customer Service, for tokens of the scope `staff`.',
  Documents: 'The documents of this interface.',
};
