import type { EndpointDocuments } from '../endpoint-document.ts';
import { account } from './account.ts';
import { interest } from './interest.ts';
import { members } from './members.ts';
import { membership } from './membership.ts';
import { messages } from './messages.ts';
import { photos } from './photos.ts';
import { push } from './push.ts';
import { searches } from './searches.ts';
import { staff } from './staff.ts';

/** The documents of every endpoint in the services' route tables. */
export const documents: EndpointDocuments = {
  ...members,
  ...interest,
  ...photos,
  ...messages,
  ...searches,
  ...membership,
  ...account,
  ...push,
  ...staff,
};
