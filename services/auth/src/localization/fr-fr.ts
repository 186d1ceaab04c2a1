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
  chooseSiteWhy: 'Vous êtes membre de plusieurs sites. Sur lequel voulez-vous vous connecter\u00a0?',
  continueAs: 'Continuer en tant que {{name}}',
  continueAsWhy:
    'Une session est ouverte dans ce navigateur. Voulez-vous vous connecter à {{app}} en tant que {{name}}\u00a0?',
  proceed: 'Continuer',
  useAnother: 'Utiliser un autre compte',
  errorTitle: 'Cela n’a pas fonctionné',
  errorClient:
    'L’application d’où vous venez est inconnue ou mal configurée. Veuillez prévenir l’équipe qui la développe.',
  errorExpired:
    'Cette connexion a expiré, ou ce navigateur bloque les cookies. Veuillez revenir à l’application et recommencer.',
  errorOther: 'La demande n’a pas été comprise. Veuillez revenir à l’application et recommencer.',
  errorAway: 'Cela n’est pas possible pour le moment. Veuillez réessayer dans un instant.',
  errorCode: 'Erreur\u00a0: {{code}}',
  signOut: 'Se déconnecter',
  signOutWhy: 'Voulez-vous vous déconnecter dans ce navigateur\u00a0?',
  signOutEverywhere: 'Se déconnecter partout',
  signOutEverywhereWhy:
    'Cela ferme aussi vos sessions dans toutes les autres applications et tous les autres navigateurs.',
  signedOut: 'Déconnexion réussie',
  signedOutWhy: 'Vous pouvez fermer cette page.',
  forgotten: 'Mot de passe oublié\u00a0?',
  forgottenWhy:
    'Saisissez votre pseudo ou votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  checkMail: 'Consultez vos e-mails',
  checkMailWhy:
    'S’il existe un compte avec ce pseudo ou cette adresse, un message est en route. Le lien qu’il contient est valable {{minutes}} minutes.',
  backToSignIn: 'Retour à la connexion',
  deviceLinkWhy:
    'Quelqu’un d’autre a peut-être essayé trop souvent. Nous pouvons vous envoyer un lien pour vous connecter tout de suite sur cet appareil.',
  sendDeviceLink: 'Envoyer un lien pour cet appareil',
  checkMailDeviceWhy:
    'S’il existe un compte avec ce pseudo ou cette adresse, un message est en route. Ouvrez le lien dans ce navigateur dans les {{minutes}} minutes. Votre mot de passe reste nécessaire.',
  confirmDevice: 'Se connecter sur cet appareil',
  confirmDeviceWhy:
    'Vous pourrez ensuite saisir ici tout de suite le mot de passe de votre compte sur {{site}}.',
  deviceElsewhere: 'Ouvrez ce lien dans l’autre navigateur',
  deviceElsewhereWhy: 'Il ne fonctionne que dans le navigateur où il a été demandé. Rien n’a été modifié.',
  username: 'Pseudo',
  newPassword: 'Nouveau mot de passe',
  newPasswordWhy:
    'De {{minimum}} à {{maximum}} caractères\u00a0; sans votre pseudo, votre adresse e-mail ni le nom du site, pas un des mots de passe les plus courants, ni un motif comme 12345678 ou abababab.',
  savePassword: 'Enregistrer le mot de passe',
  badPassword:
    'Ce mot de passe est trop court, trop long, trop courant ou un motif simple, ou il contient votre pseudo, votre adresse e-mail ou le nom du site. Veuillez en choisir un autre.',
  passwordSaved: 'Votre mot de passe a été modifié',
  passwordSavedWhy:
    'Toutes vos sessions ont été fermées. Veuillez revenir à l’application et vous connecter avec le nouveau mot de passe.',
  changePassword: 'Modifier votre mot de passe',
  currentPassword: 'Mot de passe actuel',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel. Veuillez réessayer.',
  passwordChangedWhy:
    'Vous restez connecté dans ce navigateur\u00a0; toutes vos autres sessions ont été fermées.',
  confirmEmail: 'Confirmez votre adresse e-mail',
  confirmEmailWhy: 'Est-ce que {{email}} est votre adresse e-mail sur {{site}}\u00a0?',
  confirm: 'Oui, confirmer',
  emailConfirmed: 'Votre adresse e-mail est confirmée',
  linkOld: 'Ce lien ne fonctionne plus',
  linkOldWhy: 'Il a expiré ou a déjà servi. Veuillez en demander un nouveau dans l’application.',
  linkOldEmailWhy: 'Il a expiré ou le compte a désormais une autre adresse e-mail.',
  linkOldRevertWhy:
    'Il a expiré ou a déjà servi. Si quelqu’un d’autre utilise votre compte, demandez un nouveau mot de passe sur la page de connexion.',
  revertEmail: 'Garder votre adresse e-mail',
  revertEmailWhy:
    'La modification est annulée\u00a0: {{email}} est l’adresse e-mail de votre compte sur {{site}}. Toutes les sessions sont fermées et le mot de passe ne fonctionne plus. Vous en choisissez ensuite un nouveau.',
  revertEmailButton: 'Annuler la modification',
  revertEmailAction: 'Ce n’était pas moi',
  emailReverted: 'La modification est annulée',
  emailRevertedWhy:
    'Toutes les sessions sont fermées. Nous avons envoyé un lien pour choisir un nouveau mot de passe à la première adresse du compte.',
  mailHello: 'Bonjour {{username}},',
  mailIgnore: 'Si vous n’avez rien demandé, vous pouvez ignorer ce message.',
  mailReset: 'Choisissez un nouveau mot de passe',
  mailResetWhy:
    'Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour votre compte sur {{site}}. Le lien ci-dessous permet de le choisir. Il sert une seule fois, pendant {{minutes}} minutes.',
  mailDevice: 'Connectez-vous sur votre appareil',
  mailDeviceWhy:
    'Quelqu’un, sans doute vous, veut se connecter à votre compte sur {{site}} après trop de tentatives. Ouvrez le lien ci-dessous dans le navigateur où vous l’avez demandé\u00a0: vous pourrez y saisir votre mot de passe tout de suite. Il est valable {{minutes}} minutes.',
  mailConfirm: 'Veuillez confirmer votre adresse e-mail',
  mailConfirmWhy:
    'Cette adresse a été indiquée pour un compte sur {{site}}. Veuillez confirmer qu’elle est à vous. Le lien ci-dessous est valable {{days}} jours.',
  mailPasswordChanged: 'Votre mot de passe a été modifié',
  mailPasswordChangedWhy:
    'Le mot de passe de votre compte sur {{site}} a été modifié et toutes vos sessions ont été fermées. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe et contactez le service client.',
  mailEmailChange: 'Votre adresse e-mail va être modifiée',
  mailEmailChangeWhy:
    'Une personne connectée à votre compte sur {{site}} veut remplacer l’adresse e-mail par une autre. Si c’était vous, ouvrez le lien envoyé à la nouvelle adresse\u00a0; vous n’avez rien à faire ici. Si ce n’était pas vous, utilisez le lien ci-dessous dans les {{days}} jours\u00a0: il garde cette adresse, ferme toutes les sessions et vous laisse choisir un nouveau mot de passe.',
  mailEmailChanged: 'Votre adresse e-mail a été modifiée',
  mailEmailChangedWhy:
    'L’adresse e-mail de votre compte sur {{site}} a été remplacée par une autre. Si ce n’était pas vous, utilisez le lien ci-dessous dans les {{days}} jours\u00a0: il rétablit cette adresse, ferme toutes les sessions et vous laisse choisir un nouveau mot de passe.',
  mailDeletion: 'Votre profil a été supprimé',
  mailDeletionWhy:
    'Votre profil sur {{site}} a été supprimé par une personne connectée à votre compte. Pendant {{days}} jours, vous pouvez le récupérer en vous connectant\u00a0; ensuite, tout sera effacé. Si ce n’était pas vous, connectez-vous et choisissez un nouveau mot de passe.',
};
