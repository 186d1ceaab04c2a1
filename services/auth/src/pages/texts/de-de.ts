import type { Texts } from './en-us.ts';

/** German. */
export const deDE: Texts = {
  signIn: 'Anmelden',
  login: 'Benutzername oder E-Mail-Adresse',
  password: 'Passwort',
  wrong:
    'Benutzername oder E-Mail-Adresse und Passwort passen nicht zusammen. Bitte versuche es noch einmal.',
  limited: 'Das waren zu viele Versuche. Bitte versuche es in {{minutes}} Min. noch einmal.',
  suspended: 'Dieses Konto ist gesperrt. Bitte wende dich an den Kundendienst.',
  reactivate: 'Profil wieder aktivieren',
  reactivateWhy:
    'Dein Profil ist deaktiviert. Gib Benutzername oder E-Mail-Adresse und Passwort noch einmal ein, dann ist alles wieder da.',
  otherAccount: 'Bitte gib dieselben Anmeldedaten wie eben ein.',
  staleForm: 'Dieses Formular war zu lange offen. Bitte versuche es noch einmal.',
  chooseSite: 'Seite wählen',
  chooseSiteWhy: 'Du bist auf mehreren Seiten Mitglied. Wo möchtest du dich anmelden?',
  errorTitle: 'Das hat nicht geklappt',
  errorClient:
    'Die App, von der du kommst, ist nicht bekannt oder nicht richtig eingerichtet. Bitte sag ihren Entwicklern Bescheid.',
  errorExpired: 'Diese Anmeldung ist abgelaufen. Bitte geh zurück zur App und beginne von vorn.',
  errorOther: 'Die Anfrage war nicht zu verstehen. Bitte geh zurück zur App und beginne von vorn.',
  errorAway: 'Wir können dich gerade nicht anmelden. Bitte versuche es gleich noch einmal.',
  errorCode: 'Fehler: {{code}}',
  signOut: 'Abmelden',
  signOutWhy: 'Möchtest du dich in diesem Browser abmelden?',
  signOutEverywhere: 'Überall abmelden',
  signOutEverywhereWhy: 'Damit wirst du auch in allen anderen Apps und Browsern abgemeldet.',
  signedOut: 'Du bist abgemeldet',
  signedOutWhy: 'Du kannst diese Seite schließen.',
};
