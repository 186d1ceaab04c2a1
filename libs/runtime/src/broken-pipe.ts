/** Lets the process finish its work when the reader of its output goes away, e.g. `| head` or a closed terminal. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
