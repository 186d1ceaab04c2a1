/** Catalogue fields that a member document keeps elsewhere or not at all: credentials, and settings with a place of their own. */
const keptElsewhere = new Set(['password', 'email', 'deactivated', 'reason_id', 'online', 'auto_renew']);

/** Whether a catalogue field's value stands in `fields` of the member document. */
export function isStoredField(name: string): boolean {
  return !keptElsewhere.has(name);
}
