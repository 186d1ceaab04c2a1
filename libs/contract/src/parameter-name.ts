/** A parameter's name in one spelling: neither case nor hyphens make another of it. */
export const parameterName = (name: string): string => name.toLowerCase().replaceAll('-', '_');
