/** How many there are of a thing, as people are told: `1 member`, `2 members`. */
export const counted = (count: number, thing: string, write: (count: number) => string = String): string =>
  `${write(count)} ${thing}${count === 1 ? '' : 's'}`;
