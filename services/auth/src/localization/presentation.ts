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

/** The names of all texts. */
export const textNames = Object.keys(enUS) as TextName[];

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
  /** Address of the site. */
  readonly home: string | undefined;
  /** Addresses of the site's own documents, if it has them. */
  readonly documents: { readonly terms: string | undefined; readonly privacy: string | undefined };
  readonly text: (key: TextName, values?: Record<string, string | number>) => string;
}

const offered = (locale: string): string | undefined => offeredLocale(Object.keys(texts), locale);

/** Tags of `ui_locales` that are read. */
const mostTags = 10;

/** The tags of `ui_locales`, in order of preference. */
const tagsOf = (list: unknown): string[] =>
  typeof list === 'string' ? list.split(' ', mostTags).slice(0, mostTags) : [];

/** The first offered one of `locale`, `ui_locales`, the site's locale, and the languages of the browser; else en_US. */
function localeOf(
  { locale, ui_locales }: Readonly<Record<string, unknown>>,
  site: Site | undefined,
  accepted: readonly string[],
): string {
  const named = typeof locale === 'string' ? [locale] : [];
  const wanted = [...named, ...tagsOf(ui_locales), ...(site ? [site.locale] : []), ...accepted];
  return wanted.map(offered).find((one) => one !== undefined) ?? fallback;
}

/** The presentation for `siteid`, `locale` and `ui_locales` of a request. */
export function presentationOf(
  parameters: Readonly<Record<string, unknown>>,
  sites: Sites,
  accepted: readonly string[] = [],
): Presentation {
  const site = sites.get(Number(parameters['siteid']));
  const locale = localeOf(parameters, site, accepted);
  const translate = i18n.getFixedT(locale);
  return {
    locale,
    language: locale.replace('_', '-'),
    title: site?.title ?? 'Covalence',
    hue: (site?.siteid ?? 0) % 6,
    home: site?.url,
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
  return presentationOf({}, sites, request.acceptsLanguages());
}
