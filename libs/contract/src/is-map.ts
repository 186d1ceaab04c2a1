/** Whether a value is a map of names to values, as JSON and forms have them: neither null nor a list. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
