import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireCommand, withServicesForbidden } from '../../src/engines/debian-packages.ts';
import { elasticsearchEngine } from '../../src/engines/elasticsearch-engine.ts';
import { startEngine } from '../../src/engines/engines.ts';
import { findJava } from '../../src/engines/java-home.ts';
import { fakeCommand, removeFolder, testOptions } from './test-folder.ts';

const options = testOptions();

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => removeFolder(options));

const asUser = (uid: number): void => {
  jest.spyOn(process, 'getuid').mockReturnValue(uid);
};

describe('a missing package', () => {
  const missing = { title: 'Thing', commands: ['thing-server'], package: 'thing', variable: 'THING_URL' };

  it('is installed by root, after an update of the package lists', async () => {
    asUser(0);
    const calls = join(options.folder, 'calls');
    const server = join(options.folder, 'bin/thing-server');
    const path = fakeCommand(
      options,
      'apt-get',
      `echo "$*" >> ${calls}
       case "$*" in *update*) touch ${calls}.updated; exit 0;; esac
       [ -f ${calls}.updated ] || { echo "E: Unable to locate package thing"; exit 100; }
       printf '#!/bin/sh\\n' > ${server}; chmod +x ${server}`,
    );
    const found = await requireCommand({
      ...missing,
      options: {
        ...options,
        environment: { ...options.environment, PATH: path, XDG_CACHE_HOME: options.folder },
      },
    });
    expect(found).toBe(server);
    const asked = readFileSync(calls, 'utf8').trim().split('\n');
    expect(asked.map((line) => (line.endsWith(' update') ? 'update' : line.split(' ').at(-1)))).toEqual([
      'thing',
      'update',
      'thing',
    ]);
    expect(options.lines).toContain('thing: installing the Debian package');
  });

  it('is reported to other users with the command that installs it', async () => {
    asUser(1000);
    const environment = { ...options.environment, PATH: fakeCommand(options, 'apt-get', 'exit 1') };
    const wanted = { ...missing, commands: ['other-server'], options: { ...options, environment } };
    await expect(requireCommand(wanted)).rejects.toThrow(
      'Thing is not installed: run "sudo apt-get install thing" (or start as root), or set THING_URL',
    );
  });

  it('does not start a service during installation', async () => {
    const policy = join(options.folder, 'sbin/policy-rc.d');
    const during = await withServicesForbidden(policy, async () => readFileSync(policy, 'utf8'));
    expect(during).toMatch(/^#!\/bin\/sh\n(#.*\n)*exit 101\n$/);
    expect(existsSync(policy)).toBe(false);
    writeFileSync(policy, during);
    await withServicesForbidden(policy, async () => undefined);
    expect(existsSync(policy)).toBe(false);
    writeFileSync(policy, 'its own');
    await withServicesForbidden(policy, async () => undefined);
    expect(readFileSync(policy, 'utf8')).toBe('its own');
  });
});

function addKit(name: string, version: string): string {
  const home = join(options.folder, 'kits', name);
  mkdirSync(join(home, 'bin'), { recursive: true });
  for (const tool of ['java', 'javac']) writeFileSync(join(home, 'bin', tool), '', { mode: 0o755 });
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
  return home;
}

describe('the JDK', () => {
  it('is that of JAVA_HOME, else the newest from version 21', () => {
    const homes = [addKit('old', '17.0.2'), addKit('newest', '25'), addKit('fine', '21.0.4')];
    expect(findJava({}, homes)).toEqual({ home: homes[1], version: 25 });
    expect(findJava({ JAVA_HOME: homes[2] }, homes).version).toBe(21);
    expect(findJava({ JAVA_HOME: homes[0] }, homes).version).toBe(25);
  });

  it('fails with one line when it is too old', () => {
    const homes = [addKit('old', '17.0.2'), join(options.folder, 'nothing here')];
    expect(() => findJava({}, homes)).toThrow(
      /^No JDK 21 or newer: install one with javac .* or set MONGODB_URL/,
    );
  });
});

describe('an Elasticsearch distribution', () => {
  const home = join(options.folder, 'distribution');
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin/elasticsearch'), '#!/bin/sh\necho "$ES_PATH_CONF $*"; exit 1\n', {
    mode: 0o755,
  });
  const environment = { ...options.environment, ES_HOME: home };

  it('is started with data and settings in the given folder', async () => {
    asUser(1000);
    await expect(startEngine('elasticsearch', { ...options, environment })).rejects.toThrow(
      /data\/elasticsearch\/config -E cluster\.name=covalence .*-E http\.port=\d+/,
    );
  });

  it('is not used by root', async () => {
    asUser(0);
    await elasticsearchEngine.find({ ...options, environment });
    expect(options.lines.at(-1)).toMatch(/refuses to run as root, using the embedded one$/);
  });
});
