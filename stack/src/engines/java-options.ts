/** The initial heap. */
const firstMebibytes = 256;

function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter(Boolean);
}

/** Options of the JVM for a developer's machine; the user's own options come last and take precedence. */
export function javaOptions(settings: {
  heapMebibytes: number;
  javaVersion: number;
  temporaryFolder: string;
  own: string | undefined;
}): string[] {
  const { heapMebibytes, javaVersion, temporaryFolder, own } = settings;
  return [
    `-Xms${firstMebibytes}m`,
    `-Xmx${heapMebibytes}m`,
    '-XX:+UseSerialGC',
    // A server without memory would fail some requests only; one that exits is restarted.
    '-XX:+ExitOnOutOfMemoryError',
    '-Dfile.encoding=UTF-8',
    `-Djava.io.tmpdir=${temporaryFolder}`,
    // From Java 24, Netty's memory access would log a warning at each start.
    ...(javaVersion >= 24 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
    ...words(own),
  ];
}
