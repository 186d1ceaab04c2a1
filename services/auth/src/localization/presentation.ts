import { offeredLocale } from '@covalence/contract/offered-locale';
import type { Site, Sites } from '@covalence/contract/sites';
import type { Request } from 'express';
import { createInstance } from 'i18next';
import deDE from './texts/de-de.json' with { type: 'json' };
import elGR from './texts/el-gr.json' with { type: 'json' };
import enUS from './texts/en-us.json' with { type: 'json' };
import esES from './texts/es-es.json' with { type: 'json' };
import frFR from './texts/fr-fr.json' with { type: 'json' };
import trTR from './texts/tr-tr.json' with { type: 'json' };

/** The name of a text of the hosted pages and mails. */
export type TextName = keyof typeof enUS;

/** The texts of each language; the compiler checks that none is missing. */
export const texts: Readonly<Record<string, typeof enUS>> = {
  en_US: enUS,
  es_ES: esES,
  de_DE: deDE,
  fr_FR: frFR,
  el_GR: elGR,
  tr_TR: trTR,
};
const fallback = 'en_US';

const i18n = createInstance({
  resources: Object.fromEntries(
    Object.entries(texts).map(([locale, translation]) => [locale, { translation }]),
  ),
  fallbackLng: fallback,
  load: 'currentOnly',
  initAsync: false,
  // markup`` escapes every value.
  interpolation: { escapeValue: false },
});
void i18n.init();

/** Language and site of a page or mail. */
export interface Presentation {
  /** language_COUNTRY. */
  readonly locale: string;
  /** BCP 47, for `lang`. */
  readonly language: string;
  /** The site's title. */
  readonly title: string;
  /** The site's color, 0 to 5. */
  readonly hue: number;
  /** Addresses of the site's own documents, if it has them. */
  readonly documents: { readonly terms: string | undefined; readonly privacy: string | undefined };
  readonly text: (key: TextName, values?: Record<string, string | number>) => string;
}

const offered = (locale: string): string | undefined => offeredLocale(Object.keys(texts), locale);

/** The requested locale, else the site's, else en_US. */
function localeOf(requested: unknown, site: Site | undefined): string {
  const locale = typeof requested === 'string' ? offered(requested) : undefined;
  return locale ?? offered(site?.locale ?? fallback) ?? fallback;
}

/** The presentation for the `siteid` and `locale` of an authorization request. */
export function presentationOf(parameters: Readonly<Record<string, unknown>>, sites: Sites): Presentation {
  const site = sites.get(Number(parameters['siteid']));
  const locale = localeOf(parameters['locale'], site);
  const translate = i18n.getFixedT(locale);
  return {
    locale,
    language: locale.replace('_', '-'),
    title: site?.title ?? 'Covalence',
    hue: (site?.siteid ?? 0) % 6,
    documents: { terms: site?.terms_url, privacy: site?.privacy_url },
    text: (key, values = {}) => translate(key, values),
  };
}

const presentations = new WeakMap<Request, Presentation>();

/** Remembers the presentation of a request, so that an error page has it too. */
export function remember(request: Request, presentation: Presentation): Presentation {
  presentations.set(request, presentation);
  return presentation;
}

/** The remembered presentation of a request. */
export const remembered = (request: Request): Presentation | undefined => presentations.get(request);

/** The presentation for an unknown member and site: in a language that the browser accepts. */
export function anonymousPresentation(
  request: Pick<Request, 'acceptsLanguages'>,
  sites: Sites,
): Presentation {
  const locale = request.acceptsLanguages().find((language) => offered(language)) ?? fallback;
  return presentationOf({ locale }, sites);
}
