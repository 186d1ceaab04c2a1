import { listenLocally } from '@covalence/testing/listen-locally';
import { jwtVerify } from 'jose';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const audience = 'https://oauth2.googleapis.com/token';
const lifeSeconds = 3_599;

/** An answer of the token endpoint. */
export interface TokenAnswer {
  readonly status: number;
  readonly body: object;
}

const refusal = (error: string, error_description: string): TokenAnswer => ({
  status: 400,
  body: { error, error_description },
});

/** Creates a service account of Google's, with the tokens that the token endpoint gives it; with a `scope`, for that alone. */
export function createServiceAccount(email: string, scope = '') {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const valid = new Set<string>();
  let issued = 0;
  return {
    email,
    /** PEM */
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    isValid: (token: string): boolean => valid.has(token),
    /** Ends the tokens issued so far. */
    revokeAll: () => valid.clear(),
    issued: (): number => issued,
    /** The answer of the token endpoint to a form. */
    async answerTo(form: URLSearchParams): Promise<TokenAnswer> {
      if (form.get('grant_type') !== grant)
        return refusal('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
      try {
        const { payload } = await jwtVerify(form.get('assertion') ?? '', pair.publicKey, {
          issuer: email,
          audience,
          algorithms: ['RS256'],
        });
        if (scope && payload['scope'] !== scope)
          return refusal('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
      } catch {
        return refusal('invalid_grant', 'Invalid JWT Signature.');
      }
      const token = `ya29.c.${randomBytes(48).toString('base64url')}`;
      valid.add(token);
      issued += 1;
      return { status: 200, body: { access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' } };
    },
  };
}

/** Starts Google's token endpoint on http://127.0.0.1, with one service account. */
export async function startGoogleTokens({ projectId = 'heartland-project', scope = '' } = {}) {
  const account = createServiceAccount(`push@${projectId}.iam.gserviceaccount.com`, scope);
  let outage: TokenAnswer | undefined;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const isKnown = request.method === 'POST' && request.url === '/token';
    const { status, body } = isKnown ? (outage ?? (await account.answerTo(form))) : { status: 404, body: {} };
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  const port = await listenLocally(server);

  return {
    url: `http://127.0.0.1:${port}/token`,
    projectId,
    /** The service account's key, as the JSON file that Google gives. */
    keyFile: JSON.stringify({
      type: 'service_account',
      project_id: projectId,
      private_key_id: randomBytes(20).toString('hex'),
      private_key: account.privateKey,
      client_email: account.email,
      client_id: '103123456789012345678',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: audience,
    }),
    isValid: account.isValid,
    revokeAll: account.revokeAll,
    issued: account.issued,
    /** Answers every request so; undefined ends it. */
    answerAll: (answer: TokenAnswer | undefined) => void (outage = answer),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
