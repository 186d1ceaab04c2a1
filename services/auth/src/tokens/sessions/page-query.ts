/** Parameters that decide how hosted pages look, passed on from one page to the next. */
const carried = ['siteid', 'locale', 'ui_locales'] as const;

/** Site and locale of a request, as the query of the next page; '' without either. */
export function pageQuery(query: Readonly<Record<string, unknown>>): string {
  const given = carried.flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return given.length ? `?${new URLSearchParams(given).toString()}` : '';
}
