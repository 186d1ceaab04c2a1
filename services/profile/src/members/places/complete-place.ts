import { milesBetween, type Position } from '@covalence/contract/position';
import { gazetteer, type Place } from '@covalence/geography/gazetteer';
import { textIn, type CheckedValues } from '../checks/check-fields.ts';
import { pick } from '../document/member-values.ts';

type Names = Readonly<Record<'city' | 'state' | 'zip' | 'country', string>>;

/** The fields of a place. */
export const placeFields: readonly string[] = ['city', 'state', 'zip', 'country', 'latitude', 'longitude'];

/** Those that name a town in a country. */
export const townFields: readonly string[] = ['city', 'state', 'zip'];

const namesIn = (values: CheckedValues): Names => ({
  city: textIn(values, 'city') ?? '',
  state: textIn(values, 'state') ?? '',
  zip: textIn(values, 'zip') ?? '',
  country: textIn(values, 'country') ?? '',
});

function positionIn({ latitude, longitude }: CheckedValues): Position | null {
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { lat: latitude, lon: longitude }
    : null;
}

const placeByNames = ({ city, state, zip, country }: Names): Place | null =>
  (zip && gazetteer().postal(zip, country)) || (city && gazetteer().city(city, country, state)) || null;

/** The town that a member names, where it is known. */
export const townOf = (values: CheckedValues): Place | null => placeByNames(namesIn(values));

/** Names that a position adds; none where it is in another country than the sent one. */
function namesByPosition(names: Names, { lat, lon }: Position): CheckedValues {
  if (names.city && names.state && names.country) return {};
  const near = gazetteer().nearest(lat, lon);
  if (!near || (names.country && names.country !== near.country)) return {};
  // A sent city has its own state, which may differ from that of the nearest city.
  const state = names.city ? gazetteer().city(names.city, near.country)?.state : near.state;
  return {
    ...(!names.city && !names.state && { city: near.city }),
    ...(!names.state && { state: state || near.state || null }),
    country: near.country,
  };
}

function placeByName(names: Names): CheckedValues {
  const place = placeByNames(names);
  if (!place) return {};
  const { latitude, longitude, city, state } = place;
  return {
    latitude,
    longitude,
    ...(!names.city && { city }),
    ...(!names.state && { state: state || null }),
  };
}

/** The values with the name of the state where they have its abbreviation. */
export function withStateName(values: CheckedValues, country: string): CheckedValues {
  const name = gazetteer().stateOf(textIn(values, 'state') ?? '', country);
  return name === null ? values : { ...values, state: name };
}

/** Completes a place: the position from postal code or city, and the names from the position. Sent values stay. */
export function completePlace(values: CheckedValues): CheckedValues {
  const names = namesIn(values);
  const position = positionIn(values);
  const added = position ? namesByPosition(names, position) : placeByName(names);
  return withStateName({ ...values, ...added }, textIn(added, 'country') ?? names.country);
}

const nearMiles = 30;

/** A move by coordinates: within 30 miles the names stay; beyond, those of the new place replace them. */
function movedTo(position: Position, current: CheckedValues, sent: CheckedValues): CheckedValues {
  const before = positionIn(current);
  if (before && milesBetween(before, position) <= nearMiles) return {};
  const found = gazetteer().nearest(position.lat, position.lon);
  if (!found) return {};
  const { city, state, country } = found;
  const fresh: CheckedValues = { city, state: state || null, country, zip: null };
  return pick(fresh, (name) => !(name in sent));
}

/** The member's state where it has a city of this name, or the city is unknown; else empty. */
function stateAfter(city: string, country: string, state: string): string {
  const isThere = gazetteer().city(city, country, state) !== null || !gazetteer().city(city, country);
  return isThere ? state : '';
}

/** A move by names: fields of the old place that were not sent stay only where they can still be right. */
function movedByNames(current: CheckedValues, sent: CheckedValues): CheckedValues {
  const [old, fresh] = [namesIn(current), namesIn(sent)];
  const country = fresh.country || old.country;
  const abroad = country !== old.country;
  const moves = abroad || fresh.city !== '' || fresh.zip !== '';
  const postal = fresh.zip ? gazetteer().postal(fresh.zip, country) : null;
  const keptCity = abroad || postal ? '' : old.city;
  const city = fresh.city || keptCity;
  const keptState = abroad || postal ? '' : stateAfter(city, country, old.state);
  const zip = fresh.zip || (moves ? '' : old.zip);
  const names = { country, city, state: fresh.state || keptState, zip };
  const unset = { city: null, state: null, zip: null, latitude: null, longitude: null };
  const known = pick(names, (_name, text) => text !== '');
  return { ...unset, ...completePlace(known) };
}

/** The changes of a member's place that follow from the sent place fields. Empty where none of them differs. */
export function movedPlace(current: CheckedValues, sent: CheckedValues): CheckedValues {
  const differs = (name: string) => name in sent && sent[name] !== current[name];
  if (!placeFields.some(differs)) return {};
  const position = positionIn(sent);
  const place = position ? movedTo(position, current, sent) : movedByNames(current, sent);
  const isChanged = (name: string, value: unknown) => (value ?? null) !== (current[name] ?? null);
  return pick({ ...sent, ...place }, (name, value) => placeFields.includes(name) && isChanged(name, value));
}
