/** Selects calls; times as in their field. */
export interface AuditFilter {
  readonly username?: string;
  readonly about?: string;
  readonly call?: string;
  readonly since?: string;
  readonly until?: string;
}

const names = [
  'username',
  'about',
  'call',
  'since',
  'until',
] as const satisfies readonly (keyof AuditFilter)[];

/** Reads the query of an address; what is no text is left out. Numbers are ids. */
export function auditFilterIn(given: Readonly<Record<string, unknown>>): AuditFilter {
  const texts = names.flatMap((name) => {
    const value = given[name];
    const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
    return isText ? [[name, String(value)] as const] : [];
  });
  return Object.fromEntries(texts);
}
