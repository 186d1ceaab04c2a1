/** Dependencies of commands that work on the stores of the search service. */
export interface CommandSettings<Context> {
  readonly withService: <Result>(work: (context: Context) => Promise<Result>) => Promise<Result>;
  /** The folder that paths are relative to. */
  readonly folder?: string;
}
