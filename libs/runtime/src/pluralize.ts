/** A count with its noun: `1 member`, `2 members`. */
export const pluralize = (count: number, thing: string, write: (count: number) => string = String): string =>
  `${write(count)} ${thing}${count === 1 ? '' : 's'}`;
