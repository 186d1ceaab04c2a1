/** Drops empty variables: an empty port would mean 0 (any free port), and an empty host every address of the machine. */
export const withoutEmptyVariables = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
