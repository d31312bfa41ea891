export const API = '/calendar/events/v1'

/** The password of a login of the bench. */
export const passwordOf = (login: string): string => `secret-${login}`

/** The header by which a login of the bench proves who it is. */
export const authorizationOf = (login: string): string =>
  `Basic ${Buffer.from(`${login}:${passwordOf(login)}`).toString('base64')}`

export const ADMINISTRATOR = 'bench'
