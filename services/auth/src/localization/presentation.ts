import { offeredLocale } from '@covalence/contract/offered-locale';
import type { Site, Sites } from '@covalence/contract/sites';
import type { Request } from 'express';
import { createInstance } from 'i18next';
import { deDE } from './de-de.ts';
import { elGR } from './el-gr.ts';
import { enUS, type Texts } from './en-us.ts';
import { esES } from './es-es.ts';
import { frFR } from './fr-fr.ts';
import { trTR } from './tr-tr.ts';

const texts: Record<string, Texts> = {
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
  // Pages escape every value themselves.
  interpolation: { escapeValue: false },
});
void i18n.init();

/** What a page is shown in: language and site. */
export interface PageSetting {
  /** BCP 47, for the page's `lang`. */
  readonly language: string;
  readonly title: string;
  /** The site's color, 0 to 5. */
  readonly hue: number;
  readonly text: (key: keyof Texts, values?: Record<string, string | number>) => string;
}

const offered = (locale: string): string | undefined => offeredLocale(Object.keys(texts), locale);

/** The locale of a page: the requested one, else the site's, else en_US. */
function localeOf(wanted: unknown, site: Site | undefined): string {
  const asked = typeof wanted === 'string' ? offered(wanted) : undefined;
  return asked ?? offered(site?.locale ?? fallback) ?? fallback;
}

/** The setting that the parameters of an authorization request ask for. */
export function pageSetting(parameters: Readonly<Record<string, unknown>>, sites: Sites): PageSetting {
  const site = sites.get(Number(parameters['siteid']));
  const locale = localeOf(parameters['locale'], site);
  const translate = i18n.getFixedT(locale);
  return {
    language: locale.replace('_', '-'),
    title: site?.title ?? 'Covalence',
    hue: (site?.siteid ?? 0) % 6,
    text: (key, values = {}) => translate(key, values),
  };
}

const noted = new WeakMap<Request, PageSetting>();

/** Notes what a request's pages are shown in, once that is known, for what may still go wrong. */
export function noteSetting(request: Request, setting: PageSetting): PageSetting {
  noted.set(request, setting);
  return setting;
}

/** What was noted of a request. */
export const notedSetting = (request: Request): PageSetting | undefined => noted.get(request);

/** What tells the languages that a browser asks for. */
type Asking = Pick<Request, 'acceptsLanguages'>;

/** The setting of a page that belongs to no request and no member that are known: the language that the browser asks for. */
export function strangersSetting(request: Asking, sites: Sites): PageSetting {
  const locale = request.acceptsLanguages().find((language) => offered(language)) ?? fallback;
  return pageSetting({ locale }, sites);
}
