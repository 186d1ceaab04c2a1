/** Lets the process finish its work when the reader of its output goes away, e.g. `| head` or a closed terminal. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    // Tests run many programs in one process.
    if (!stream.listenerCount('error')) stream.on('error', () => {});
  }
}
