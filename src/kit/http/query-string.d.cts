import type { parse } from 'qs'

/** Parses a query string with the package `qs`, which is evaluated at its first use. */
declare const parseQueryString: typeof parse
export = parseQueryString
