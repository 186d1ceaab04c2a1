/**
 * From now on a reader of what this process prints that goes away (`| head`, a console that was closed) ends nothing: what is
 * under way comes to its end.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
