/** The texts of the hosted pages in American English; the other languages have the same keys. */
export const enUS = {
  signIn: 'Sign in',
  login: 'Username or email',
  password: 'Password',
  wrong: 'That username or email and password do not match. Please try again.',
  limited: 'There were too many attempts. Please try again in {{minutes}} min.',
  suspended: 'This account is suspended. Please contact customer service.',
  reactivate: 'Reactivate your profile',
  reactivateWhy:
    'Your profile is deactivated. Enter your username or email and your password once more to get everything back.',
  otherAccount: 'Please enter the same username or email and password as before.',
  staleForm: 'This form was open for too long. Please try again.',
  chooseSite: 'Choose a site',
  chooseSiteWhy: 'You are a member of more than one site. Where do you want to sign in?',
  continueAs: 'Continue as {{name}}',
  continueAsWhy: 'You are signed in with this browser. Do you want to sign in to {{app}} as {{name}}?',
  proceed: 'Continue',
  useAnother: 'Use another account',
  errorTitle: 'Something went wrong',
  errorClient:
    'The app that sent you here is not known or is not set up correctly. Please contact the developer of the app.',
  errorExpired:
    'This sign-in has expired, or this browser blocks cookies. Please go back to the app and start again.',
  errorOther: 'The request could not be understood. Please go back to the app and start again.',
  errorAway: 'This is not available right now. Please try again in a moment.',
  errorCode: 'Error: {{code}}',
  signOut: 'Sign out',
  signOutWhy: 'Do you want to sign out in this browser?',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereWhy: 'This also signs you out of every app and browser that you are signed in with.',
  signedOut: 'You are signed out',
  signedOutWhy: 'You can close this page.',
  forgotten: 'Forgot your password?',
  forgottenWhy: 'Enter your username or email. We will send you a link to choose a new password.',
  sendLink: 'Send link',
  checkMail: 'Check your email',
  checkMailWhy:
    'If there is an account with that username or email, we have sent a message to its address. The link in it works for {{minutes}} minutes.',
  backToSignIn: 'Back to sign-in',
  deviceLinkWhy:
    'There were too many attempts, maybe by somebody else. We can email you a link that lets you sign in on this device now.',
  sendDeviceLink: 'Send a link for this device',
  checkMailDeviceWhy:
    'If there is an account with that username or email, we have sent a message to its address. Open the link in it with this browser within {{minutes}} minutes. You still need your password.',
  confirmDevice: 'Sign in on this device',
  confirmDeviceWhy: 'You can then enter the password of your account at {{site}} here at once.',
  deviceElsewhere: 'Open this link in the other browser',
  deviceElsewhereWhy: 'It works only in the browser that requested it. Nothing was changed.',
  username: 'Username',
  newPassword: 'New password',
  newPasswordWhy:
    '{{minimum}} to {{maximum}} characters; without your username, your email or the name of the site, not one of the most common passwords, and no pattern like 12345678 or abababab.',
  savePassword: 'Save password',
  badPassword:
    'This password is too short, too long, too common or a simple pattern, or it contains your username, your email or the name of the site. Please choose another one.',
  passwordSaved: 'Your password is changed',
  passwordSavedWhy:
    'You were signed out everywhere. Please go back to the app and sign in with your new password.',
  changePassword: 'Change your password',
  currentPassword: 'Current password',
  wrongPassword: 'That is not your current password. Please try again.',
  passwordChangedWhy: 'You stay signed in in this browser, and were signed out everywhere else.',
  confirmEmail: 'Confirm your email',
  confirmEmailWhy: 'Is {{email}} your email address at {{site}}?',
  confirm: 'Yes, confirm',
  emailConfirmed: 'Your email is confirmed',
  linkOld: 'This link no longer works',
  linkOldWhy: 'It has expired, or it was used before. Please ask for a new one in the app.',
  linkOldEmailWhy: 'It has expired, or the email address of the account has changed.',
  linkOldRevertWhy:
    'It has expired, or it was used before. If somebody else uses your account, ask for a new password on the sign-in page.',
  revertEmail: 'Keep your email address',
  revertEmailWhy:
    'The change is undone: {{email}} is the email address of your account at {{site}}. Everybody is signed out, and the password stops working. You then choose a new one.',
  revertEmailButton: 'Undo the change',
  revertEmailAction: 'This was not me',
  emailReverted: 'The change is undone',
  emailRevertedWhy:
    'Everybody is signed out. We sent a link to choose a new password to the address that the account had first.',
  mailHello: 'Hello {{username}},',
  mailIgnore: 'If you did not ask for this, you can ignore this message.',
  mailReset: 'Choose a new password',
  mailResetWhy:
    'Somebody, probably you, requested a new password for your account at {{site}}. The link below lets you choose one. It works once, for {{minutes}} minutes.',
  mailDevice: 'Sign in on your device',
  mailDeviceWhy:
    'Somebody, probably you, wants to sign in to your account at {{site}} after too many attempts. Open the link below in the browser in which you requested it, and enter your password there. It works for {{minutes}} minutes.',
  mailConfirm: 'Please confirm your email',
  mailConfirmWhy:
    'This address was entered for an account at {{site}}. Please confirm that it is yours. The link below works for {{days}} days.',
  mailPasswordChanged: 'Your password was changed',
  mailPasswordChangedWhy:
    'The password of your account at {{site}} was changed, and you were signed out everywhere. If that was not you, please choose a new password at once and contact customer service.',
  mailEmailChange: 'Your email is about to change',
  mailEmailChangeWhy:
    'Somebody who is signed in to your account at {{site}} wants to change its email address to another one. If that was you, open the link that we sent to the new address; you do not need to do anything. If that was not you, use the link below within {{days}} days: it keeps this address, signs everybody out and lets you choose a new password.',
  mailEmailChanged: 'Your email was changed',
  mailEmailChangedWhy:
    'The email address of your account at {{site}} was changed to another one. If that was not you, use the link below within {{days}} days: it brings this address back, signs everybody out and lets you choose a new password.',
  mailDeletion: 'Your profile was deleted',
  mailDeletionWhy:
    'Your profile at {{site}} was deleted by somebody who was signed in to your account. For {{days}} days you can bring it back by signing in; after that everything is erased. If that was not you, sign in and choose a new password.',
};

/** The texts of one language. */
export type Texts = Readonly<typeof enUS>;
