/** The variable of the environment that holds the address of an engine or a service, e.g. MONGODB_URL. */
export const addressVariable = (name: string): string => `${name.toUpperCase()}_URL`;

/** The variables that hold the addresses of engines or services, by their names. */
export const addressVariables = (addresses: Iterable<readonly [name: string, url: string]>) =>
  Object.fromEntries(Array.from(addresses, ([name, url]) => [addressVariable(name), url]));
