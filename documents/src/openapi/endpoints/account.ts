import type { EndpointDocuments } from '../endpoint-document.ts';

/** What apps call at the Authorization Server with a member's token. */
export const account: EndpointDocuments = {
  'POST /session/everywhere': {
    tag: 'Sign-in',
    description: 'Ends all of the member’s sign-ins, the calling one included.',
    example: { answer: {} },
  },
};
