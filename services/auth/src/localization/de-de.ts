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
  continueAs: 'Weiter als {{name}}',
  continueAsWhy: 'Du bist in diesem Browser angemeldet. Möchtest du dich bei {{app}} als {{name}} anmelden?',
  proceed: 'Weiter',
  useAnother: 'Anderes Konto verwenden',
  errorTitle: 'Das hat nicht geklappt',
  errorClient:
    'Die App, von der du kommst, ist nicht bekannt oder nicht richtig eingerichtet. Bitte sag dem Team der App Bescheid.',
  errorExpired:
    'Diese Anmeldung ist abgelaufen, oder dieser Browser blockiert Cookies. Bitte geh zurück zur App und beginne von vorn.',
  errorOther: 'Die Anfrage war nicht zu verstehen. Bitte geh zurück zur App und beginne von vorn.',
  errorAway: 'Das geht gerade nicht. Bitte versuche es gleich noch einmal.',
  errorCode: 'Fehler: {{code}}',
  signOut: 'Abmelden',
  signOutWhy: 'Möchtest du dich in diesem Browser abmelden?',
  signOutEverywhere: 'Überall abmelden',
  signOutEverywhereWhy: 'Damit wirst du auch in allen anderen Apps und Browsern abgemeldet.',
  signedOut: 'Du bist abgemeldet',
  signedOutWhy: 'Du kannst diese Seite schließen.',
  forgotten: 'Passwort vergessen?',
  forgottenWhy:
    'Gib deinen Benutzernamen oder deine E-Mail-Adresse ein. Wir schicken dir einen Link, mit dem du ein neues Passwort wählen kannst.',
  sendLink: 'Link senden',
  checkMail: 'Schau in dein Postfach',
  checkMailWhy:
    'Wenn es ein Konto mit diesem Benutzernamen oder dieser Adresse gibt, ist eine Nachricht unterwegs. Der Link darin gilt {{minutes}} Minuten.',
  backToSignIn: 'Zurück zur Anmeldung',
  deviceLinkWhy:
    'Vielleicht hat es jemand anderes zu oft versucht. Wir können dir einen Link schicken, mit dem du dich auf diesem Gerät sofort anmelden kannst.',
  sendDeviceLink: 'Link für dieses Gerät senden',
  checkMailDeviceWhy:
    'Wenn es ein Konto mit diesem Benutzernamen oder dieser Adresse gibt, ist eine Nachricht unterwegs. Öffne den Link darin innerhalb von {{minutes}} Minuten in diesem Browser. Dein Passwort brauchst du weiterhin.',
  confirmDevice: 'Auf diesem Gerät anmelden',
  confirmDeviceWhy: 'Danach kannst du hier sofort das Passwort für dein Konto bei {{site}} eingeben.',
  deviceElsewhere: 'Bitte im anderen Browser öffnen',
  deviceElsewhereWhy:
    'Dieser Link funktioniert nur in dem Browser, in dem er angefordert wurde. Es wurde nichts geändert.',
  username: 'Benutzername',
  newPassword: 'Neues Passwort',
  newPasswordWhy:
    '{{minimum}} bis {{maximum}} Zeichen; ohne deinen Benutzernamen, deine E-Mail-Adresse oder den Namen der Website, keines der häufigsten Passwörter und kein Muster wie 12345678 oder abababab.',
  savePassword: 'Passwort speichern',
  badPassword:
    'Dieses Passwort ist zu kurz, zu lang, zu häufig oder ein einfaches Muster, oder es enthält deinen Benutzernamen, deine E-Mail-Adresse oder den Namen der Website. Bitte wähle ein anderes.',
  passwordSaved: 'Dein Passwort ist geändert',
  passwordSavedWhy:
    'Du wurdest überall abgemeldet. Bitte geh zurück zur App und melde dich mit dem neuen Passwort an.',
  changePassword: 'Passwort ändern',
  currentPassword: 'Aktuelles Passwort',
  wrongPassword: 'Das ist nicht dein aktuelles Passwort. Bitte versuche es noch einmal.',
  passwordChangedWhy: 'In diesem Browser bleibst du angemeldet; überall sonst wurdest du abgemeldet.',
  confirmEmail: 'E-Mail-Adresse bestätigen',
  confirmEmailWhy: 'Ist {{email}} deine E-Mail-Adresse bei {{site}}?',
  confirm: 'Ja, bestätigen',
  emailConfirmed: 'Deine E-Mail-Adresse ist bestätigt',
  linkOld: 'Dieser Link gilt nicht mehr',
  linkOldWhy: 'Er ist abgelaufen oder wurde schon benutzt. Bitte fordere in der App einen neuen an.',
  linkOldEmailWhy: 'Er ist abgelaufen, oder das Konto hat inzwischen eine andere E-Mail-Adresse.',
  linkOldRevertWhy:
    'Er ist abgelaufen oder wurde schon benutzt. Wenn jemand anderes dein Konto benutzt, fordere auf der Anmeldeseite ein neues Passwort an.',
  revertEmail: 'Deine E-Mail-Adresse behalten',
  revertEmailWhy:
    'Die Änderung wird rückgängig gemacht: {{email}} ist die E-Mail-Adresse deines Kontos bei {{site}}. Alle werden abgemeldet, und das Passwort gilt nicht mehr. Danach wählst du ein neues.',
  revertEmailButton: 'Änderung rückgängig machen',
  revertEmailAction: 'Das war ich nicht',
  emailReverted: 'Die Änderung ist rückgängig gemacht',
  emailRevertedWhy:
    'Alle sind abgemeldet. Einen Link für ein neues Passwort haben wir an die Adresse geschickt, die das Konto zuerst hatte.',
  mailHello: 'Hallo {{username}},',
  mailIgnore: 'Wenn du das nicht angefordert hast, kannst du diese Nachricht ignorieren.',
  mailReset: 'Wähle ein neues Passwort',
  mailResetWhy:
    'Jemand, wahrscheinlich du, hat ein neues Passwort für dein Konto bei {{site}} angefordert. Mit dem Link unten kannst du eines wählen. Er gilt einmal und für {{minutes}} Minuten.',
  mailDevice: 'Auf deinem Gerät anmelden',
  mailDeviceWhy:
    'Jemand, vermutlich du, möchte sich nach zu vielen Versuchen bei deinem Konto auf {{site}} anmelden. Öffne den Link unten in dem Browser, in dem du ihn angefordert hast: Dort kannst du dein Passwort sofort eingeben. Er gilt {{minutes}} Minuten.',
  mailConfirm: 'Bitte bestätige deine E-Mail-Adresse',
  mailConfirmWhy:
    'Diese Adresse wurde für ein Konto bei {{site}} angegeben. Bitte bestätige, dass sie deine ist. Der Link unten gilt {{days}} Tage.',
  mailPasswordChanged: 'Dein Passwort wurde geändert',
  mailPasswordChangedWhy:
    'Das Passwort deines Kontos bei {{site}} wurde geändert, und du wurdest überall abgemeldet. Wenn du das nicht warst, wähle sofort ein neues Passwort und wende dich an den Kundendienst.',
  mailEmailChange: 'Deine E-Mail-Adresse soll geändert werden',
  mailEmailChangeWhy:
    'Jemand, der mit deinem Konto bei {{site}} angemeldet ist, möchte die E-Mail-Adresse durch eine andere ersetzen. Wenn du das warst, öffne den Link, den wir an die neue Adresse geschickt haben; hier musst du nichts tun. Wenn du das nicht warst, benutze innerhalb von {{days}} Tagen den Link unten: Er behält diese Adresse bei, meldet alle ab und lässt dich ein neues Passwort wählen.',
  mailEmailChanged: 'Deine E-Mail-Adresse wurde geändert',
  mailEmailChangedWhy:
    'Die E-Mail-Adresse deines Kontos bei {{site}} wurde durch eine andere ersetzt. Wenn du das nicht warst, benutze innerhalb von {{days}} Tagen den Link unten: Er stellt diese Adresse wieder her, meldet alle ab und lässt dich ein neues Passwort wählen.',
  mailDeletion: 'Dein Profil wurde gelöscht',
  mailDeletionWhy:
    'Dein Profil bei {{site}} wurde von einer Person gelöscht, die mit deinem Konto angemeldet war. {{days}} Tage lang kannst du es zurückholen, indem du dich anmeldest; danach wird alles endgültig entfernt. Wenn du das nicht warst, melde dich an und wähle ein neues Passwort.',
};
