import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'

/** An app without routes. Not strict: a trailing slash means the same address. */
export const newApp = (): Hono<AppEnv> => new Hono<AppEnv>({ strict: false })
