/** A value as one line without control characters, which could steer the terminal. */
export const oneLine = (value: unknown): string =>
  String(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
