/** The heap at the start; it grows only where what lives in it needs more. */
const firstMebibytes = 256;

/** Words of an options variable such as ES_JAVA_OPTS. */
function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter(Boolean);
}

/**
 * Options of the virtual machine for a server beside three others on a developer's machine; what the user's own
 * variable says comes last and wins.
 */
export function javaOptions(settings: {
  /** Largest heap. */
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
    // A server without memory answers some and not others; one that ends is seen.
    '-XX:+ExitOnOutOfMemoryError',
    '-Dfile.encoding=UTF-8',
    `-Djava.io.tmpdir=${temporaryFolder}`,
    // Netty's way to memory; from this version on each start would log a warning about it.
    ...(javaVersion >= 24 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
    ...words(own),
  ];
}
