import type { Labels } from '@covalence/contract/catalogue/field';
import { labels } from '@covalence/contract/catalogue/labels';
import type { ZodiacSign } from '@covalence/contract/zodiac';

/** Labels of the criteria without a field in the catalogue. */
export const derivedLabels: Readonly<Record<string, Labels>> = {
  age: labels('Age', 'Edad', 'Alter', 'Ηλικία'),
  location: labels('Distance', 'Distancia', 'Entfernung', 'Απόσταση'),
  photo: labels('Has photos', 'Con fotos', 'Mit Fotos', 'Με φωτογραφίες'),
  new: labels('New members', 'Nuevos miembros', 'Neue Mitglieder', 'Νέα μέλη'),
  keywords: labels('Keywords', 'Palabras clave', 'Stichwörter', 'Λέξεις-κλειδιά'),
  zodiac: labels('Zodiac sign', 'Signo zodiacal', 'Sternzeichen', 'Ζώδιο'),
  last_active: labels('Last active', 'Última actividad', 'Zuletzt aktiv', 'Τελευταία δραστηριότητα'),
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

/** Labels of the values of these criteria, except numbers. */
export const derivedValueLabels: Readonly<Record<string, Labels>> = {
  true: labels('Yes', 'Sí', 'Ja', 'Ναι'),
  false: labels('No', 'No', 'Nein', 'Όχι'),
  ...signLabels,
};

/** Labels of a value of `within`; -1 sets no limit. */
export const withinLabels = (miles: number): Labels =>
  miles === -1
    ? labels('Any distance', 'Cualquier distancia', 'Jede Entfernung', 'Οποιαδήποτε απόσταση')
    : labels(`${miles} miles`, `${miles} millas`, `${miles} Meilen`, `${miles} μίλια`);

/** Labels of a value of `last_active`. */
export const daysLabels = (days: number): Labels =>
  days === 1
    ? labels('Within a day', 'En las últimas 24 horas', 'Innerhalb eines Tages', 'Την τελευταία ημέρα')
    : labels(
        `Within ${days} days`,
        `En los últimos ${days} días`,
        `In den letzten ${days} Tagen`,
        `Τις τελευταίες ${days} ημέρες`,
      );
