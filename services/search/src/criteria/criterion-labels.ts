import type { Labels } from '@covalence/contract/catalogue/field';
import { labels } from '@covalence/contract/catalogue/labels';
import type { ZodiacSign } from '@covalence/contract/zodiac';

/** Names of the criteria that no field of the catalogue is behind. */
export const derivedLabels: Readonly<Record<string, Labels>> = {
  age: { en_US: 'Age', es_ES: 'Edad', de_DE: 'Alter', el_GR: 'Ηλικία' },
  location: { en_US: 'Distance', es_ES: 'Distancia', de_DE: 'Entfernung', el_GR: 'Απόσταση' },
  photo: { en_US: 'Has photos', es_ES: 'Con fotos', de_DE: 'Mit Fotos', el_GR: 'Με φωτογραφίες' },
  new: { en_US: 'New members', es_ES: 'Nuevos miembros', de_DE: 'Neue Mitglieder', el_GR: 'Νέα μέλη' },
  keywords: { en_US: 'Keywords', es_ES: 'Palabras clave', de_DE: 'Stichwörter', el_GR: 'Λέξεις-κλειδιά' },
  zodiac: { en_US: 'Zodiac sign', es_ES: 'Signo zodiacal', de_DE: 'Sternzeichen', el_GR: 'Ζώδιο' },
  last_active: {
    en_US: 'Last active',
    es_ES: 'Última actividad',
    de_DE: 'Zuletzt aktiv',
    el_GR: 'Τελευταία δραστηριότητα',
  },
};

const truthLabels = {
  true: labels('Yes', 'Sí', 'Ja', 'Ναι'),
  false: labels('No', 'No', 'Nein', 'Όχι'),
};

const signLabels: Readonly<Record<ZodiacSign, Labels>> = {
  Capricorn: labels('Capricorn', 'Capricornio', 'Steinbock', 'Αιγόκερως'),
  Aquarius: labels('Aquarius', 'Acuario', 'Wassermann', 'Υδροχόος'),
  Pisces: labels('Pisces', 'Piscis', 'Fische', 'Ιχθύες'),
  Aries: labels('Aries', 'Aries', 'Widder', 'Κριός'),
  Taurus: labels('Taurus', 'Tauro', 'Stier', 'Ταύρος'),
  Gemini: labels('Gemini', 'Géminis', 'Zwillinge', 'Δίδυμοι'),
  Cancer: labels('Cancer', 'Cáncer', 'Krebs', 'Καρκίνος'),
  Leo: labels('Leo', 'Leo', 'Löwe', 'Λέων'),
  Virgo: labels('Virgo', 'Virgo', 'Jungfrau', 'Παρθένος'),
  Libra: labels('Libra', 'Libra', 'Waage', 'Ζυγός'),
  Scorpio: labels('Scorpio', 'Escorpio', 'Skorpion', 'Σκορπιός'),
  Sagittarius: labels('Sagittarius', 'Sagitario', 'Schütze', 'Τοξότης'),
};

/** The values of criteria that no field of the catalogue is behind, beside those that are numbers. */
export const derivedValueLabels: Readonly<Record<string, Labels>> = { ...truthLabels, ...signLabels };

/** A value of `within`; -1 leaves the distance open. */
export const withinLabels = (miles: number): Labels =>
  miles === -1
    ? {
        en_US: 'Any distance',
        es_ES: 'Cualquier distancia',
        de_DE: 'Jede Entfernung',
        el_GR: 'Οποιαδήποτε απόσταση',
      }
    : {
        en_US: `${miles} miles`,
        es_ES: `${miles} millas`,
        de_DE: `${miles} Meilen`,
        el_GR: `${miles} μίλια`,
      };

/** A value of `last_active`. */
export const daysLabels = (days: number): Labels =>
  days === 1
    ? {
        en_US: 'Within a day',
        es_ES: 'En las últimas 24 horas',
        de_DE: 'Innerhalb eines Tages',
        el_GR: 'Την τελευταία ημέρα',
      }
    : {
        en_US: `Within ${days} days`,
        es_ES: `En los últimos ${days} días`,
        de_DE: `In den letzten ${days} Tagen`,
        el_GR: `Τις τελευταίες ${days} ημέρες`,
      };
