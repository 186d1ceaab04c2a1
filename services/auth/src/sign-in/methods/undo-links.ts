import { z } from 'zod';
import { sealedLink } from '../../mail/links.ts';

/** Days for which the notice of a new passkey or app can remove it. */
export const undoDays = 7;

const schema = z.object({
  member_id: z.string(),
  /** Id of the passkey, or when the app was added in milliseconds since the epoch. */
  id: z.string(),
});

/** Links by which a mailed notice removes what it is about. */
export const undoLinks = {
  passkey: sealedLink({ purpose: 'passkey-undo', route: '/passkey/:token', days: undoDays, schema }),
  'two-step': sealedLink({ purpose: 'two-step-undo', route: '/two-step/:token', days: undoDays, schema }),
};
