/** The variables that say something. An empty port would be 0, any that is free, and an empty host every address of the machine. */
export const given = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
