import type { Sites } from '@covalence/contract/sites';
import type { Request, Response } from 'express';
import { anonymousPresentation, type Presentation, type TextName } from '../../localization/presentation.ts';
import { messagePage } from './account-pages.ts';
import { errorPage } from './sign-in-pages.ts';
import { pageHeaders } from './style.ts';

/** Sends a page. */
export function sendPage(response: Response, page: string, status = 200, headers = pageHeaders()): void {
  response.status(status).set(headers).send(page);
}

/** A problem of a form. `seconds` is set after too many attempts. */
export interface Problem {
  readonly problem?: TextName | undefined;
  /** Seconds after which it may be tried again. */
  readonly seconds?: number | undefined;
  readonly status?: number | undefined;
}

/** The text and the status of the page that shows a problem. Too many attempts are 429, with the time to wait. */
export function explain(
  response: Response,
  { text }: Presentation,
  { problem, seconds, status = 200 }: Problem,
): { readonly problem: string | undefined; readonly status: number } {
  if (seconds === undefined) return { problem: problem && text(problem), status };
  response.set('Retry-After', String(seconds));
  return { problem: text(problem ?? 'limited', { minutes: Math.ceil(seconds / 60) }), status: 429 };
}

/** Redirects a browser with GET. */
export function redirect(response: Response, location: string): void {
  response.status(303).set({ Location: location, 'Cache-Control': 'no-store' }).end();
}

/** A request of somebody unknown. */
interface UnknownVisit {
  readonly request: Request;
  readonly response: Response;
  readonly context: { readonly sites: Sites };
}

/** Says that a mailed link is invalid, expired or used. */
export function sendInvalidLink(
  { request, response, context }: UnknownVisit,
  reason: TextName = 'linkOldWhy',
): void {
  const presentation = anonymousPresentation(request, context.sites);
  sendPage(response, messagePage(presentation, 'linkOld', reason), 400);
}

/** Says that a sign-in has expired. */
export function sendExpired({ request, response, context }: UnknownVisit): void {
  sendPage(response, errorPage(anonymousPresentation(request, context.sites), 'errorExpired'), 400);
}
