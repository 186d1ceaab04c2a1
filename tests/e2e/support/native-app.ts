import { createDeviceKey } from '@covalence/testing/device-key';
import { createHash, randomBytes } from 'node:crypto';
import request, { type Response } from 'supertest';
import { openBrowser } from './browser.ts';
import { pathOf, type TokenPair } from './sign-in.ts';

/** The part of `/.well-known/openid-configuration` that a library like AppAuth reads. */
interface Configuration {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
  readonly end_session_endpoint: string;
}

/** A client as its operator hands it to the developer. */
export interface NativeClient {
  readonly client_id: string;
  readonly redirect_uri: string;
}

/** An app on a device, and the system browser of the device. */
export type NativeApp = Awaited<ReturnType<typeof installApp>>;

const random = (bytes = 16) => randomBytes(bytes).toString('base64url');

/** Installs an app that does what docs/clients.md says. With `bindsTokens` it proves a key (DPoP). */
export async function installApp(
  base: string,
  { client_id, redirect_uri }: NativeClient,
  { bindsTokens }: { readonly bindsTokens: boolean },
) {
  const { body } = await request(base).get('/.well-known/openid-configuration').expect(200);
  const configuration = body as Configuration;
  const browser = openBrowser(base);
  const key = bindsTokens ? await createDeviceKey() : undefined;

  /** The query of a redirect to the app, which takes answers of its own server to its own request only. */
  const answerOf = (answer: Response, state: string): URLSearchParams => {
    const location = answer.get('Location') ?? '';
    if (!location.startsWith(`${redirect_uri}?`))
      throw new Error(`does not lead to the app: ${answer.status} ${location}`);
    const { searchParams } = new URL(location);
    if (searchParams.get('state') !== state || searchParams.get('iss') !== configuration.issuer)
      throw new Error(`is of another request or server: ${location}`);
    return searchParams;
  };
  const proof = async (htm: string, htu: string, token?: string): Promise<Record<string, string>> =>
    key ? { DPoP: await key.prove({ htm, htu, ...(token !== undefined && { token }) }) } : {};
  const token = async (form: Record<string, string>) => {
    const { token_endpoint } = configuration;
    const call = request(base).post(pathOf(token_endpoint, base)).type('form');
    return call.set(await proof('POST', token_endpoint)).send({ client_id, ...form });
  };

  return {
    browser,
    configuration,
    /** Opens /authorize in the browser; resolves to the page, and to what ends the sign-in. */
    async authorize(parameters: Record<string, string>) {
      const [code_verifier, state] = [random(48), random()];
      const query = new URLSearchParams({
        client_id,
        redirect_uri,
        response_type: 'code',
        state,
        code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...parameters,
      });
      const page = await browser.open(`${configuration.authorization_endpoint}?${query.toString()}`);
      return {
        page,
        answerOf: (end: Response) => answerOf(end, state),
        /** Fills in the page, and exchanges the code that the app gets. */
        finish: async (entries: object): Promise<TokenPair & { readonly token_type: string }> => {
          const code = answerOf(await browser.submit(page, entries), state).get('code') ?? '';
          const exchange = { grant_type: 'authorization_code', code, code_verifier, redirect_uri };
          const answer = await token(exchange);
          if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text}`);
          return answer.body as TokenPair & { readonly token_type: string };
        },
      };
    },
    refresh: ({ refresh_token }: TokenPair) => token({ grant_type: 'refresh_token', refresh_token }),
    /** Signs out of the app. */
    revoke: ({ refresh_token }: TokenPair) =>
      request(base)
        .post(pathOf(configuration.revocation_endpoint, base))
        .type('form')
        .send({ client_id, token: refresh_token }),
    /** Calls the API. */
    async call(method: 'get' | 'delete', path: string, { access_token }: TokenPair) {
      const scheme = key ? 'DPoP' : 'Bearer';
      const client = request(base);
      return client[method](path)
        .set('Authorization', `${scheme} ${access_token}`)
        .set(await proof(method.toUpperCase(), `${base}${path}`, access_token));
    },
    /** The first message to the WebSocket. */
    async socketMessage({ access_token }: TokenPair): Promise<string> {
      const { DPoP: dpop } = await proof('GET', `${base}/ws/updates`, access_token);
      return dpop === undefined ? access_token : JSON.stringify({ type: 'token', token: access_token, dpop });
    },
  };
}
