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
  chooseSiteWhy: 'Eres miembro de más de un sitio. ¿En cuál quieres entrar?',
  errorTitle: 'Algo no ha funcionado',
  errorClient:
    'La aplicación que te ha enviado aquí no es conocida o no está bien configurada. Avisa a sus creadores.',
  errorExpired: 'Este inicio de sesión ha caducado. Vuelve a la aplicación y empieza de nuevo.',
  errorOther: 'No se ha entendido la solicitud. Vuelve a la aplicación y empieza de nuevo.',
  errorAway: 'Ahora mismo no podemos iniciar tu sesión. Inténtalo de nuevo en un momento.',
  errorCode: 'Error: {{code}}',
  signOut: 'Cerrar sesión',
  signOutWhy: '¿Quieres cerrar la sesión en este navegador?',
  signOutEverywhere: 'Cerrar sesión en todas partes',
  signOutEverywhereWhy: 'Así también se cierra tu sesión en todas las demás aplicaciones y navegadores.',
  signedOut: 'Has cerrado la sesión',
  signedOutWhy: 'Puedes cerrar esta página.',
};
