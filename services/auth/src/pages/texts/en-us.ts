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
  errorTitle: 'This did not work',
  errorClient:
    'The app that sent you here is not known or is not set up correctly. Please tell the makers of the app.',
  errorExpired: 'This sign-in has expired. Please go back to the app and start again.',
  errorOther: 'The request could not be understood. Please go back to the app and start again.',
  errorAway: 'We cannot sign you in right now. Please try again in a moment.',
  errorCode: 'Error: {{code}}',
  signOut: 'Sign out',
  signOutWhy: 'Do you want to sign out in this browser?',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereWhy: 'This also signs you out of every app and browser that you are signed in with.',
  signedOut: 'You are signed out',
  signedOutWhy: 'You can close this page.',
};

/** The texts of one language. */
export type Texts = Readonly<typeof enUS>;
