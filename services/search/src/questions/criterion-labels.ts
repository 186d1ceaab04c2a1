import type { Labels } from '@covalence/contract/catalogue/field';

/** Names of the criteria that no field of the catalogue is behind. */
export const derivedLabels: Readonly<Record<string, Labels>> = {
  age: { en_US: 'Age', es_ES: 'Edad', de_DE: 'Alter', el_GR: 'Ηλικία' },
  location: { en_US: 'Distance', es_ES: 'Distancia', de_DE: 'Entfernung', el_GR: 'Απόσταση' },
  zipcode: { en_US: 'ZIP code', es_ES: 'Código postal', de_DE: 'Postleitzahl', el_GR: 'Ταχ. κώδικας' },
  photo: { en_US: 'Has photos', es_ES: 'Con fotos', de_DE: 'Mit Fotos', el_GR: 'Με φωτογραφίες' },
  new: { en_US: 'New members', es_ES: 'Nuevos miembros', de_DE: 'Neue Mitglieder', el_GR: 'Νέα μέλη' },
  keywords: { en_US: 'Keywords', es_ES: 'Palabras clave', de_DE: 'Stichwörter', el_GR: 'Λέξεις-κλειδιά' },
  mood: { en_US: 'Mood', es_ES: 'Humor', de_DE: 'Stimmung', el_GR: 'Διάθεση' },
  zodiac: { en_US: 'Zodiac sign', es_ES: 'Signo zodiacal', de_DE: 'Sternzeichen', el_GR: 'Ζώδιο' },
  last_active: {
    en_US: 'Last active',
    es_ES: 'Última actividad',
    de_DE: 'Zuletzt aktiv',
    el_GR: 'Τελευταία δραστηριότητα',
  },
};

/** The two values of a criterion of true and false. */
export const truthLabels: Readonly<Record<string, Labels>> = {
  true: { en_US: 'Yes', es_ES: 'Sí', de_DE: 'Ja', el_GR: 'Ναι' },
  false: { en_US: 'No', es_ES: 'No', de_DE: 'Nein', el_GR: 'Όχι' },
};

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
        es_ES: 'En el último día',
        de_DE: 'Am letzten Tag',
        el_GR: 'Την τελευταία ημέρα',
      }
    : {
        en_US: `Within ${days} days`,
        es_ES: `En los últimos ${days} días`,
        de_DE: `In den letzten ${days} Tagen`,
        el_GR: `Τις τελευταίες ${days} ημέρες`,
      };
