import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { embeddedEngines } from '../../src/engines/jar-cache.ts';
import { fakeCommand, removeFolder, testOptions, type TestOptions } from './test-folder.ts';

const options = testOptions();
/** The shared cache, which provides the jars instead of the network. */
let filled: string;

beforeAll(async () => {
  await embeddedEngines('mongodb', options);
  filled = (await embeddedEngines('elasticsearch', options)).folder;
}, 180_000);

afterAll(() => removeFolder(options));

/** Options with an empty cache and a fake Maven that copies the jars and then runs these lines. */
function withMaven(name: string, lines: string): TestOptions & { calls: () => string[] } {
  const own = testOptions();
  const calls = join(options.folder, `${name}.calls`);
  const path = fakeCommand(
    { ...own, folder: join(options.folder, name) },
    'mvn',
    `echo "$*" >> ${calls}
     for word in "$@"; do case "$word" in -DoutputDirectory=*) target="\${word#*=}";; esac; done
     cp ${filled}/elasticsearch/lib/*.jar ${filled}/mongodb/lib/*.jar "$target"
     cp ${filled}/elasticsearch/modules/transport-netty4/*.jar "$target"
     ${lines}`,
  );
  removeFolder(own);
  return {
    ...own,
    environment: { ...own.environment, PATH: path, XDG_CACHE_HOME: join(options.folder, name, 'cache') },
    calls: () => readFileSync(calls, 'utf8').trim().split('\n'),
  };
}

describe('the cache of jars', () => {
  it('is filled once by two concurrent starts', async () => {
    const both = withMaven('both', '');
    const engines = ['mongodb', 'elasticsearch'] as const;
    const [one, other] = await Promise.all(engines.map(async (engine) => embeddedEngines(engine, both)));
    expect(one).toEqual(other);
    expect(both.calls()).toHaveLength(1);
    expect(readdirSync(dirname(one?.folder ?? ''))).toHaveLength(1);
  });

  it('detects a broken jar in the cache and from Maven, and then bypasses the local repository', async () => {
    const flaky = withMaven(
      'flaky',
      'case "$*" in *maven.repo.local*) ;; *) echo broken > "$target"/h2-2.3.232.jar;; esac',
    );
    const { folder } = await embeddedEngines('mongodb', flaky);
    expect(flaky.calls().map((call) => call.includes('-Dmaven.repo.local='))).toEqual([false, true]);
    expect(flaky.lines.join()).toContain('h2-2.3.232.jar does not have its pinned checksum; retrying');

    writeFileSync(join(folder, 'mongodb/lib/h2-2.3.232.jar'), 'broken later');
    await embeddedEngines('mongodb', flaky);
    expect(flaky.calls()).toHaveLength(4);
  });

  it('fails with one line when it cannot be filled', async () => {
    const offline = withMaven('offline', 'echo "[ERROR] Could not resolve the artifacts"; exit 1');
    await expect(embeddedEngines('mongodb', offline)).rejects.toThrow(
      /^Maven cannot fetch the embedded engines: Could not resolve the artifacts; check the network .*MONGODB_URL/,
    );
    expect(offline.calls()).toHaveLength(3);
  });

  it('rejects a jar that is not pinned', async () => {
    const more = withMaven('more', 'echo > "$target"/another.jar');
    await expect(embeddedEngines('mongodb', more)).rejects.toThrow(/another\.jar is not a pinned jar/);
  });
});
