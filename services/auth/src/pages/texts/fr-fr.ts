import type { Texts } from './en-us.ts';

/** French. */
export const frFR: Texts = {
  signIn: 'Se connecter',
  login: 'Pseudo ou adresse e-mail',
  password: 'Mot de passe',
  wrong: 'Le pseudo ou l’adresse e-mail et le mot de passe ne correspondent pas. Veuillez réessayer.',
  limited: 'Il y a eu trop de tentatives. Veuillez réessayer dans {{minutes}} min.',
  suspended: 'Ce compte est suspendu. Veuillez contacter le service client.',
  reactivate: 'Réactiver votre profil',
  reactivateWhy:
    'Votre profil est désactivé. Saisissez encore une fois votre pseudo ou adresse e-mail et votre mot de passe pour tout retrouver.',
  otherAccount: 'Veuillez saisir le même pseudo ou la même adresse et le même mot de passe que précédemment.',
  staleForm: 'Ce formulaire est resté ouvert trop longtemps. Veuillez réessayer.',
  chooseSite: 'Choisissez un site',
  chooseSiteWhy: 'Vous êtes membre de plusieurs sites. Sur lequel voulez-vous vous connecter ?',
  errorTitle: 'Cela n’a pas fonctionné',
  errorClient:
    'L’application qui vous a envoyé ici est inconnue ou mal configurée. Veuillez prévenir ses développeurs.',
  errorExpired: 'Cette connexion a expiré. Veuillez revenir à l’application et recommencer.',
  errorOther: 'La demande n’a pas été comprise. Veuillez revenir à l’application et recommencer.',
  errorAway: 'La connexion est impossible pour le moment. Veuillez réessayer dans un instant.',
  errorCode: 'Erreur : {{code}}',
  signOut: 'Se déconnecter',
  signOutWhy: 'Voulez-vous vous déconnecter dans ce navigateur ?',
  signOutEverywhere: 'Se déconnecter partout',
  signOutEverywhereWhy:
    'Vous serez aussi déconnecté de toutes les autres applications et de tous les autres navigateurs.',
  signedOut: 'Vous êtes déconnecté',
  signedOutWhy: 'Vous pouvez fermer cette page.',
};
