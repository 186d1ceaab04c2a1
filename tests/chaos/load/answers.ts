import { isMap } from '@covalence/contract/is-map';

/** What became of a request, as its client sees it. */
export type Outcome =
  /** The answer that was asked for. */
  | 'ok'
  /** 503 with Retry-After: something is away for now. */
  | 'away'
  /** 4xx as documented. */
  | 'refused'
  /** 500: a defect. */
  | 'defect'
  /** An answer of no documented kind. */
  | 'strange'
  /** The connection ended before an answer began. */
  | 'reset'
  /** The connection ended in the middle of an answer. */
  | 'cut'
  /** No whole answer within the time limit. */
  | 'late';

/** An answer as it came over the wire. */
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

/** The body of an answer, or an empty map where it is no JSON. */
export function bodyOf({ text }: Pick<RawAnswer, 'text'>): Readonly<Record<string, unknown>> {
  const body = parsed(text);
  return isMap(body) ? body : {};
}

/** Names that an error's body may have, and those of the token endpoint (RFC 6749). */
const errorNames = new Set(['fail', 'failcode', 'request_id', 'error', 'error_description']);

/** Headers without which a status is not of a documented kind. */
const wanted: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Whether an error is a documented one: its text, nothing internal beside it, and its header. */
function isOfD2(answer: RawAnswer, isPage: boolean): boolean {
  const body = bodyOf(answer);
  const isHtml = isPage && answer.headers.get('Content-Type')?.startsWith('text/html');
  const says = isHtml || typeof body['fail'] === 'string' || typeof body['error'] === 'string';
  const hasOthers = Object.keys(body).some((name) => !errorNames.has(name));
  const header = wanted[answer.status];
  return says && !hasOthers && (header === undefined || answer.headers.has(header));
}

/** What kind of answer it is. Redirects are good ones: the hosted pages, which may refuse in HTML, work by them. */
export function outcomeOf(answer: RawAnswer, isPage = false): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 400) return 'ok';
  if (!isOfD2(answer, isPage)) return 'strange';
  if (status === 503) return 'away';
  if (status === 500) return 'defect';
  return status < 500 ? 'refused' : 'strange';
}
