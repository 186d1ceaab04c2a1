import type { Field } from '../catalogue/field.ts';
import type { Site } from './sites.ts';

/** Whether everyone who may see a profile of this site may read its answer in the field. */
export function isForEveryone(
  { name, visibility = 'everyone' }: Field,
  { answer_visibility }: Site,
): boolean {
  return (answer_visibility[name] ?? visibility) === 'everyone';
}
