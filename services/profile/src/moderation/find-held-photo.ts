import type { Context } from '../context.ts';
import type { HeldPhoto } from '../members/document/held-photo.ts';

/**
 * A photo that a rejection or a report refers to: its files stay, whatever its member does, until retention ends. Undefined
 * where neither does.
 */
export async function findHeldPhoto(
  { decisions, evidence }: Pick<Context, 'decisions' | 'evidence'>,
  photo: number,
): Promise<HeldPhoto | undefined> {
  return (await decisions.holding(photo)) ?? evidence.holding(photo);
}
