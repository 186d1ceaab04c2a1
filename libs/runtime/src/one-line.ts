/** A value as a text on one line, without what would steer the terminal. */
export const oneLine = (value: unknown): string =>
  String(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
