/** Folders and files of a room of `src`, or of a folder in one, from the bottom up. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  kit: ['lib', 'db', 'settings.ts', 'context.ts', 'env.ts', 'work', 'http', 'docs'],
  calendar: [
    'content',
    'users',
    'media',
    'settings',
    'terms',
    'venues',
    'organizers',
    'events',
    'changes',
    'digest',
    'intake',
    'duplicates',
    'imports',
  ],
  'calendar/events': [
    'preview-links.ts',
    'interval.ts',
    'relations',
    'recurrence-fields.ts',
    'schema.ts',
    'shared-fields.ts',
    'rows.ts',
    'search.ts',
    'listing',
    'queries.ts',
    'namesakes.ts',
    'resource.ts',
    'listed-events.ts',
    'ical',
    'geojson.ts',
    'recurrence',
    'series-route.ts',
    'parents.ts',
    'prepare.ts',
    'series-writes',
    'series-values.ts',
    'imported-events.ts',
    'undo-rows.ts',
    'writes.ts',
    'extend-series.ts',
    'copy.ts',
    'restore.ts',
    'routes.ts',
  ],
  site: ['html', 'forms', 'pages'],
}

/**
 * The rooms of `src` and its files next to them, from the bottom up, each with the packages that it may use.
 * Each imports only what comes before it, and so do the folders of a room.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  kit: ['drizzle', 'entities', 'htmlparser2', 'node', 'qs', 'temporal-polyfill'],
  words: [],
  calendar: [],
  readers: ['csv-parse', 'htmlparser2', 'ical.js', 'node', 'windows-iana', 'zod'],
  site: ['squire-rte'],
  editor: ['@simplewebauthn/browser', '@simplewebauthn/server'],
  'feature.ts': [],
  features: ['@modelcontextprotocol/server', 'postal-mime'],
  'features.ts': [],
  'app.ts': [],
  commands: ['drizzle-kit', 'esbuild', 'miniflare', 'node', 'smol-toml', 'wrangler', 'zod'],
  'cron.ts': [],
  'index.ts': [],
}

/** Packages that all may use, but for `kit/lib`, which needs neither a database nor a request. */
export const SHARED = ['drizzle-orm', 'hono', 'zod/mini']
