/** Whether the arguments of a tool ask what it can do; that is told without a configuration. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
