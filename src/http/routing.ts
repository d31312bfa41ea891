import type { Hono } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { AppEnv } from '../env.ts'

/**
 * An app without routes. The other router that Hono brings along cannot do paths like ours, which it finds out at the
 * first request, and takes 1.5 KB of the Worker (compressed). Not strict: a trailing slash means the same address.
 */
export const newApp = (): Hono<AppEnv> => new HonoBase<AppEnv>({ strict: false, router: new TrieRouter() })
