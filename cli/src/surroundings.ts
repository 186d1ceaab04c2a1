/** Where a command was called. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** The data folder of the local stack. */
  readonly dataFolder: () => string;
  /** The folder that paths on the command line are relative to. */
  readonly workingFolder: string;
}
