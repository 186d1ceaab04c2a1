/** A thing in the number that there is of it: `member` of one, else `members`. */
export const plural = (count: number, thing: string): string => (count === 1 ? thing : `${thing}s`);
