import { isMap } from '@covalence/contract/is-map';

/** The outcome of a request for its client. */
export type Outcome =
  /** The requested answer. */
  | 'ok'
  /** 503 with Retry-After: something is unavailable. */
  | 'away'
  /** 4xx as documented. */
  | 'refused'
  /** 500: a defect. */
  | 'defect'
  /** An undocumented answer. */
  | 'strange'
  /** The connection closed before an answer. */
  | 'reset'
  /** The connection closed during an answer. */
  | 'cut'
  /** No complete answer within the time limit. */
  | 'late';

/** A received answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The body of an answer; an empty map if it is not JSON. */
export function bodyOf({ text }: Pick<RawAnswer, 'text'>): Readonly<Record<string, unknown>> {
  const body = parsed(text);
  return isMap(body) ? body : {};
}

/** Fields of documented errors, including those of the token endpoint (RFC 6749). */
const errorNames = new Set(['fail', 'failcode', 'request_id', 'error', 'error_description']);

/** Headers that a documented status requires. */
const wanted: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Whether an error is documented: its text, its fields and its header. */
function isOfD2(answer: RawAnswer, isPage: boolean): boolean {
  const body = bodyOf(answer);
  const isHtml = isPage && answer.headers.get('Content-Type')?.startsWith('text/html');
  const says = isHtml || typeof body['fail'] === 'string' || typeof body['error'] === 'string';
  const hasOthers = Object.keys(body).some((name) => !errorNames.has(name));
  const header = wanted[answer.status];
  return says && !hasOthers && (header === undefined || answer.headers.has(header));
}

/** Classifies an answer. Redirects are successes, because hosted pages use them and may refuse in HTML. */
export function outcomeOf(answer: RawAnswer, isPage = false): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 400) return 'ok';
  if (!isOfD2(answer, isPage)) return 'strange';
  if (status === 503) return 'away';
  if (status === 500) return 'defect';
  return status < 500 ? 'refused' : 'strange';
}
