export const SOURCES = '/admin/sources/'
export const NEW_SOURCE = `${SOURCES}new/`
export const TWINS = `${SOURCES}twins/`
export const sourcePath = (id: number): string => `${SOURCES}${id}/`
/** The address of the settings. @param id also `new` */
export const settingsPath = (id: number | string): string =>
  id === 'new' ? NEW_SOURCE : `${SOURCES}${id}/settings/`
