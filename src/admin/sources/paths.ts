export const SOURCES = '/admin/sources/'
export const NEW_SOURCE = `${SOURCES}new/`
export const TWINS = `${SOURCES}twins/`
export const sourcePath = (id: number): string => `${SOURCES}${id}/`
export const settingsPath = (id: number): string => `${sourcePath(id)}settings/`
