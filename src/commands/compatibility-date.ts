/** The compatibility date of wrangler.toml, for Workers that start without it. */
export const COMPATIBILITY_DATE = '2026-09-18'
