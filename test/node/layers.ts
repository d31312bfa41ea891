/**
 * The folders and files of `src`, from the bottom up, each with the packages that it may use. Each imports only what stands before it.
 * From `http` on, all may use {@link SHARED}, too.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  lib: ['entities', 'htmlparser2', 'node', 'temporal-polyfill'],
  words: [],
  'kit/settings.ts': [],
  db: ['drizzle-orm'],
  'kit/context.ts': [],
  'kit/env.ts': [],
  http: ['drizzle', 'qs'],
  resources: [],
  intake: ['csv-parse', 'htmlparser2', 'ical.js', 'node', 'windows-iana', 'zod'],
  api: [],
  'site/html': [],
  'site/forms': [],
  'site/pages': [],
  editor: ['@simplewebauthn/server'],
  backup: ['node'],
  'feature.ts': [],
  features: ['@modelcontextprotocol/server', 'postal-mime'],
  'features.ts': [],
  'app.ts': [],
  cli: ['drizzle-kit', 'esbuild', 'miniflare', 'node', 'smol-toml', 'wrangler', 'zod'],
  'cron.ts': [],
  'email.ts': [],
  'index.ts': [],
}

export const SHARED = ['drizzle-orm', 'hono', 'zod/mini']

/** The folders of `resources`, from the top down: each imports only those after it. */
export const RESOURCES = [
  'duplicates',
  'sources',
  'submissions',
  'digest',
  'changes',
  'events',
  'organizers',
  'venues',
  'terms',
  'settings',
  'media',
  'users',
  'content',
]
