import { goTool, run } from '@covalence/testing/tools';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { read, root } from './files.ts';

/** How cosign refuses a statement that this key did not sign. */
const noSignature = 'accepted signatures do not match threshold';

/** A file of cosign with a signed statement. */
interface Bundle {
  readonly dsseEnvelope: { readonly payload: string };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The image that is signed, and another one. */
const [digest, otherDigest] = [digestOf('an image'), digestOf('another image')];

/** The origin of the image as `docker buildx build --metadata-file` describes it (SLSA v1), in short. */
const provenance = {
  buildDefinition: {
    buildType: 'https://github.com/moby/buildkit/blob/master/docs/attestations/slsa-definitions.md',
    externalParameters: { request: { frontend: 'dockerfile.v0', args: { 'build-arg:SERVICE': 'gateway' } } },
    resolvedDependencies: [{ uri: 'pkg:docker/node@24', digest: { sha256: digestOf('its base') } }],
  },
  runDetails: { builder: { id: 'https://ci.covalence.example/1' } },
};

/** The commands of docs/dependencies.md: those that sign, and those that verify. */
function documented(): { readonly sign: string; readonly verify: string } {
  const [, section = ''] = read('docs/dependencies.md').split('\n## Supply chain\n');
  const [sign, verify] = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
  if (!sign?.includes('\ndigest=…') || !verify?.startsWith('verify()'))
    throw new Error('docs/dependencies.md does not say how to sign and to verify');
  return { sign: sign.replace('digest=…', `digest=${digest}`), verify };
}

const statementIn = (bundle: string): unknown =>
  JSON.parse(
    Buffer.from((JSON.parse(bundle) as Bundle).dsseEnvelope.payload, 'base64').toString(),
  ) as unknown;

/** The bundle with a statement that says nothing about the image. */
function changed(bundle: string): string {
  const { dsseEnvelope, ...rest } = JSON.parse(bundle) as Bundle;
  const statement = { ...(statementIn(bundle) as object), predicate: {} };
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
  return JSON.stringify({ ...rest, dsseEnvelope: { ...dsseEnvelope, payload } });
}

/**
 * Signs a bill and a provenance as documented, without a network, and verifies them. Another image, a changed statement and another
 * key are refused.
 */
export async function checkSignatures(folder: string, mayBuild: boolean): Promise<void> {
  const pack = 'github.com/sigstore/cosign/v3/cmd/cosign';
  const cosign = await goTool({ name: 'cosign', pack, version: 'v3.1.3' }, mayBuild);
  const { sign, verify } = documented();
  const cwd = join(folder, 'signed');
  mkdirSync(cwd);
  const nowhere = 'http://127.0.0.1:1';
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    COSIGN_PASSWORD: '',
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
  };
  const shell = (commands: string) =>
    run('sh', ['-euc', `cosign() { '${cosign}' "$@"; }\n${commands}`], { cwd, env });
  const verifying = (of: string) => shell(`digest=${of}\n${verify}`);
  const refuses = async (what: string, of: string, reason: string) => {
    const said = await verifying(of).then(
      () => 'it verifies',
      ({ message }: Error) => message,
    );
    if (!said.includes(reason)) throw new Error(`${what}: ${said}`);
  };

  await run(process.execPath, [join(root, 'tests/dependencies/audit.ts'), '--sbom', join(cwd, 'sbom')]);
  writeFileSync(join(cwd, 'provenance.json'), JSON.stringify(provenance));
  await shell(sign);
  await verifying(digest);
  await refuses('another image', otherDigest, 'does not match any digest');

  const predicates = {
    'gateway.cdx.sigstore.json': 'sbom/gateway.cdx.json',
    'gateway.slsa.sigstore.json': 'provenance.json',
  };
  for (const [name, predicate] of Object.entries(predicates)) {
    const file = join(cwd, name);
    const bundle = readFileSync(file, 'utf8');
    const { subject, predicate: signed } = statementIn(bundle) as Record<string, unknown>;
    const isWhole =
      isDeepStrictEqual(subject, [{ name: 'gateway', digest: { sha256: digest } }]) &&
      isDeepStrictEqual(signed, JSON.parse(readFileSync(join(cwd, predicate), 'utf8')));
    if (!isWhole) throw new Error(`${name} does not hold ${predicate}`);
    writeFileSync(file, changed(bundle));
    await refuses(`a changed ${name}`, digest, noSignature);
    writeFileSync(file, bundle);
  }

  copyFileSync(join(cwd, 'cosign.pub'), join(cwd, 'first.pub'));
  await shell('rm cosign.key cosign.pub && cosign generate-key-pair');
  await refuses('another key', digest, noSignature);
  copyFileSync(join(cwd, 'first.pub'), join(cwd, 'cosign.pub'));
  await verifying(digest);
}
