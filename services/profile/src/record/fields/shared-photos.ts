import { z } from 'zod';
import type { Relation } from './relation.ts';

/** The shared_photos object. */
export const sharedPhotosSchema = z
  .object({
    can_share: z.boolean(),
    can_send_to: z.boolean(),
    can_receive_from: z.boolean(),
    receiving_me: z.boolean(),
  })
  .meta({ id: 'SharedPhotos' });

/** The state of photo sharing as one member sees it; all false where `allowed` is false. */
export function sharedPhotos(
  { sending, receiving, theyReceive }: Relation,
  allowed: boolean,
): z.infer<typeof sharedPhotosSchema> {
  return {
    can_share: allowed,
    can_send_to: allowed && sending,
    can_receive_from: allowed && receiving,
    receiving_me: allowed && theyReceive,
  };
}
