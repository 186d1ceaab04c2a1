/** Parameters of a link to the page that compares: a search of a judgment set, a run whose settings it tries, and the shadow index. */
interface Compared {
  readonly set?: string;
  readonly search?: string;
  readonly run?: string;
  readonly index?: 'shadow';
}

const isId = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f-]{36}$/.test(text);

/** Reads the query of an address; what is not valid is left out. */
export function comparedIn({ set, search, run, index }: Readonly<Record<string, unknown>>): Compared {
  if (!isId(set) || !isId(search)) return {};
  return { set, search, ...(isId(run) && { run }), ...(index === 'shadow' && { index }) };
}
