import { defineWords } from '../words.ts'

/** The sign-in. */
export const signInWords = defineWords({
  en: {
    title: 'Sign in',
    lead: 'to the editor of {site}',
    withPassword: 'With an application password',
    login: 'Login',
    password: 'Application password',
    wrong: 'The login or the application password is wrong.',
    missing: 'Please fill in both.',
    signedOut: 'You are signed out.',
  },
  de: {
    title: 'Anmelden',
    lead: 'bei der Redaktion von {site}',
    withPassword: 'Mit einem Anwendungspasswort',
    login: 'Anmeldename',
    password: 'Anwendungspasswort',
    wrong: 'Der Anmeldename oder das Anwendungspasswort stimmt nicht.',
    missing: 'Bitte fülle beides aus.',
    signedOut: 'Du bist abgemeldet.',
  },
  es: {
    title: 'Iniciar sesión',
    lead: 'en la edición de {site}',
    withPassword: 'Con una contraseña de aplicación',
    login: 'Usuario',
    password: 'Contraseña de aplicación',
    wrong: 'El usuario o la contraseña de aplicación no son correctos.',
    missing: 'Rellena los dos campos.',
    signedOut: 'Has cerrado la sesión.',
  },
  fr: {
    title: 'Se connecter',
    lead: 'à la rédaction de {site}',
    withPassword: 'Avec un mot de passe d’application',
    login: 'Identifiant',
    password: 'Mot de passe d’application',
    wrong: 'L’identifiant ou le mot de passe d’application est incorrect.',
    missing: 'Remplissez les deux champs.',
    signedOut: 'Vous êtes déconnecté.',
  },
})
