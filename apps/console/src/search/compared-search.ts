import type { Weights } from './weights.ts';

/** Parameters of a link to the page that compares: a search of a judgment set, weights to try, and whether to search the shadow index. */
interface Compared {
  readonly set?: string;
  readonly search?: string;
  readonly weights?: Weights;
  readonly index?: 'shadow';
}

const idForm = /^[0-9a-f-]{36}$/;

const mostWeight = 1_000;

const isWeight = (weight: unknown): weight is number =>
  Number.isInteger(weight) && Number(weight) >= 1 && Number(weight) <= mostWeight;

/** Reads the query of an address; what is not valid is left out. */
export function comparedIn({ set, search, weights, index }: Readonly<Record<string, unknown>>): Compared {
  if (typeof set !== 'string' || typeof search !== 'string') return {};
  if (!idForm.test(set) || !idForm.test(search)) return {};
  const given = typeof weights === 'object' && weights !== null ? Object.entries(weights) : [];
  const valid = given.filter((entry): entry is [string, number] => isWeight(entry[1]));
  return {
    set,
    search,
    ...(valid.length && { weights: Object.fromEntries(valid) }),
    ...(index === 'shadow' && { index }),
  };
}
