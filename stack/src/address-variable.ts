/** The variable of the environment that holds the address of an engine or a service, e.g. MONGODB_URL. */
export const addressVariable = (name: string): string => `${name.toUpperCase()}_URL`;
