import { callKinds, type CallKind } from './components.ts';

/** The kinds of so many calls, in the shares of the rates, evenly mixed. */
export function mixed(rates: Readonly<Record<CallKind, number>>, count: number): CallKind[] {
  const all = Object.values(rates).reduce((sum, rate) => sum + rate, 0);
  const owed = new Map(callKinds.map((kind) => [kind, 0]));
  return Array.from({ length: count }, () => {
    for (const kind of callKinds) owed.set(kind, (owed.get(kind) ?? 0) + rates[kind] / all);
    const [next] = [...owed].toSorted(([, one], [, other]) => other - one)[0] ?? ['GET /questions'];
    owed.set(next, (owed.get(next) ?? 0) - 1);
    return next;
  });
}
