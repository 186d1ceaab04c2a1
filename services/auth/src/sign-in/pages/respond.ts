import type { Sites } from '@covalence/contract/sites';
import type { Request, Response } from 'express';
import { anonymousPresentation, type TextName } from '../../localization/presentation.ts';
import { messagePage } from './account-pages.ts';
import { errorPage } from './sign-in-pages.ts';
import { pageHeaders } from './style.ts';

/** Sends a page. */
export function sendPage(response: Response, page: string, status = 200, headers = pageHeaders()): void {
  response.status(status).set(headers).send(page);
}

/** Redirects a browser with GET. */
export function redirect(response: Response, location: string): void {
  response.status(303).set({ Location: location, 'Cache-Control': 'no-store' }).end();
}

/** Says that a mailed link is invalid, expired or used. */
export function sendInvalidLink(
  request: Request,
  response: Response,
  { sites }: { readonly sites: Sites },
  reason: TextName = 'linkOldWhy',
): void {
  sendPage(response, messagePage(anonymousPresentation(request, sites), 'linkOld', reason), 400);
}

/** Says that a sign-in has expired. */
export function sendExpired(
  request: Request,
  response: Response,
  { sites }: { readonly sites: Sites },
): void {
  sendPage(response, errorPage(anonymousPresentation(request, sites), 'errorExpired'), 400);
}
