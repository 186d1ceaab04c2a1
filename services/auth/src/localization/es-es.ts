import type { Texts } from './en-us.ts';

/** Spanish. */
export const esES: Texts = {
  signIn: 'Iniciar sesión',
  login: 'Nombre de usuario o correo electrónico',
  password: 'Contraseña',
  wrong: 'El usuario o correo y la contraseña no coinciden. Inténtalo de nuevo.',
  limited: 'Ha habido demasiados intentos. Vuelve a intentarlo en {{minutes}} min.',
  suspended: 'Esta cuenta está suspendida. Ponte en contacto con atención al cliente.',
  reactivate: 'Reactiva tu perfil',
  reactivateWhy:
    'Tu perfil está desactivado. Escribe otra vez tu usuario o correo y tu contraseña para recuperarlo todo.',
  otherAccount: 'Escribe el mismo usuario o correo y la misma contraseña que antes.',
  staleForm: 'Este formulario ha estado abierto demasiado tiempo. Inténtalo de nuevo.',
  chooseSite: 'Elige un sitio',
  chooseSiteWhy: 'Tienes cuenta en más de un sitio. ¿En cuál quieres entrar?',
  continueAs: 'Continuar como {{name}}',
  continueAsWhy: 'Ya has iniciado sesión en este navegador. ¿Quieres entrar en {{app}} como {{name}}?',
  proceed: 'Continuar',
  useAnother: 'Usar otra cuenta',
  errorTitle: 'Algo no ha funcionado',
  errorClient:
    'La aplicación que te ha enviado aquí no es conocida o no está bien configurada. Avisa a quienes la desarrollan.',
  errorExpired:
    'Este inicio de sesión ha caducado o este navegador bloquea las cookies. Vuelve a la aplicación y empieza de nuevo.',
  errorOther: 'No se ha entendido la solicitud. Vuelve a la aplicación y empieza de nuevo.',
  errorAway: 'Ahora mismo no es posible. Inténtalo de nuevo en un momento.',
  errorCode: 'Error: {{code}}',
  signOut: 'Cerrar sesión',
  signOutWhy: '¿Quieres cerrar la sesión en este navegador?',
  signOutEverywhere: 'Cerrar sesión en todas partes',
  signOutEverywhereWhy: 'Así también se cierra tu sesión en todas las demás aplicaciones y navegadores.',
  signedOut: 'Has cerrado la sesión',
  signedOutWhy: 'Puedes cerrar esta página.',
  forgotten: '¿Has olvidado tu contraseña?',
  forgottenWhy:
    'Escribe tu nombre de usuario o correo. Te enviaremos un enlace para elegir una contraseña nueva.',
  sendLink: 'Enviar enlace',
  checkMail: 'Revisa tu correo',
  checkMailWhy:
    'Si hay una cuenta con ese usuario o correo, hay un mensaje en camino a su dirección. El enlace que contiene vale {{minutes}} minutos.',
  backToSignIn: 'Volver a iniciar sesión',
  deviceLinkWhy:
    'Puede que otra persona lo haya intentado demasiadas veces. Podemos enviarte un enlace con el que podrás entrar enseguida en este dispositivo.',
  sendDeviceLink: 'Enviar enlace para este dispositivo',
  checkMailDeviceWhy:
    'Si hay una cuenta con ese usuario o correo, hay un mensaje en camino a su dirección. Abre el enlace en este navegador en los próximos {{minutes}} minutos. Seguirás necesitando tu contraseña.',
  confirmDevice: 'Entrar en este dispositivo',
  confirmDeviceWhy: 'Después podrás escribir aquí enseguida la contraseña de tu cuenta de {{site}}.',
  deviceElsewhere: 'Abre este enlace en el otro navegador',
  deviceElsewhereWhy: 'Solo funciona en el navegador desde el que se pidió. No se ha cambiado nada.',
  username: 'Nombre de usuario',
  newPassword: 'Contraseña nueva',
  newPasswordWhy:
    'De {{minimum}} a {{maximum}} caracteres; sin tu usuario, tu correo ni el nombre del sitio, que no sea una de las contraseñas más comunes ni un patrón como 12345678 o abababab.',
  savePassword: 'Guardar contraseña',
  badPassword:
    'Esta contraseña es demasiado corta, demasiado larga, demasiado común o un patrón simple, o contiene tu usuario, tu correo o el nombre del sitio. Elige otra.',
  passwordSaved: 'Tu contraseña ha cambiado',
  passwordSavedWhy:
    'Hemos cerrado tu sesión en todas partes. Vuelve a la aplicación y entra con la contraseña nueva.',
  changePassword: 'Cambiar tu contraseña',
  currentPassword: 'Contraseña actual',
  wrongPassword: 'Esa no es tu contraseña actual. Inténtalo de nuevo.',
  passwordChangedWhy: 'Tu sesión sigue abierta en este navegador y se ha cerrado en todas las demás partes.',
  confirmEmail: 'Confirma tu correo',
  confirmEmailWhy: '¿Es {{email}} tu correo electrónico en {{site}}?',
  confirm: 'Sí, confirmar',
  emailConfirmed: 'Tu correo está confirmado',
  linkOld: 'Este enlace ya no funciona',
  linkOldWhy: 'Ha caducado o ya se ha usado. Pide uno nuevo en la aplicación.',
  linkOldEmailWhy: 'Ha caducado o la cuenta tiene ahora otro correo.',
  linkOldRevertWhy:
    'Ha caducado o ya se ha usado. Si otra persona usa tu cuenta, pide una contraseña nueva en la página de inicio de sesión.',
  revertEmail: 'Conservar tu correo',
  revertEmailWhy:
    'El cambio se deshace: {{email}} es el correo de tu cuenta en {{site}}. Se cierran todas las sesiones y la contraseña deja de valer. Después eliges una nueva.',
  revertEmailButton: 'Deshacer el cambio',
  revertEmailAction: 'No he sido yo',
  emailReverted: 'El cambio se ha deshecho',
  emailRevertedWhy:
    'Se han cerrado todas las sesiones. Hemos enviado un enlace para elegir una contraseña nueva a la primera dirección que tuvo la cuenta.',
  mailHello: 'Hola, {{username}}:',
  mailIgnore: 'Si no lo has pedido tú, puedes ignorar este mensaje.',
  mailReset: 'Elige una contraseña nueva',
  mailResetWhy:
    'Alguien, probablemente tú, ha pedido una contraseña nueva para tu cuenta en {{site}}. Con el enlace de abajo puedes elegirla. Vale una sola vez, durante {{minutes}} minutos.',
  mailDevice: 'Entra en tu dispositivo',
  mailDeviceWhy:
    'Alguien, probablemente tú, quiere entrar en tu cuenta de {{site}} después de demasiados intentos. Abre el enlace de abajo en el navegador desde el que lo pediste: allí podrás escribir tu contraseña enseguida. Vale {{minutes}} minutos.',
  mailConfirm: 'Confirma tu correo',
  mailConfirmWhy:
    'Se ha indicado esta dirección para una cuenta en {{site}}. Confirma que es tuya. El enlace de abajo vale {{days}} días.',
  mailPasswordChanged: 'Tu contraseña ha cambiado',
  mailPasswordChangedWhy:
    'La contraseña de tu cuenta en {{site}} ha cambiado y hemos cerrado tu sesión en todas partes. Si no has sido tú, elige enseguida otra contraseña y ponte en contacto con atención al cliente.',
  mailEmailChange: 'Tu correo va a cambiar',
  mailEmailChangeWhy:
    'Alguien con la sesión iniciada en tu cuenta de {{site}} quiere cambiar el correo por otro. Si has sido tú, abre el enlace que hemos enviado a la nueva dirección; aquí no tienes que hacer nada. Si no has sido tú, usa el enlace de abajo en un plazo de {{days}} días: conserva esta dirección, cierra todas las sesiones y te deja elegir una contraseña nueva.',
  mailEmailChanged: 'Tu correo ha cambiado',
  mailEmailChangedWhy:
    'El correo electrónico de tu cuenta en {{site}} se ha cambiado por otro. Si no has sido tú, usa el enlace de abajo en un plazo de {{days}} días: recupera esta dirección, cierra todas las sesiones y te deja elegir una contraseña nueva.',
  mailDeletion: 'Tu perfil se ha eliminado',
  mailDeletionWhy:
    'Alguien con la sesión iniciada en tu cuenta ha eliminado tu perfil en {{site}}. Durante {{days}} días puedes recuperarlo iniciando sesión; después se borrará todo. Si no has sido tú, inicia sesión y elige una contraseña nueva.',
};
