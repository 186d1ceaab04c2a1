/** Normalizes a parameter's name: lowercase, with underscores for hyphens. */
export const parameterName = (name: string): string => name.toLowerCase().replaceAll('-', '_');
