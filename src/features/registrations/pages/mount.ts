import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../kit/env.ts'
import { mountVisitorPages, type VisitorPage } from '../../../site/forms/visitor-pages.ts'
import type { PageContext } from '../../../site/html/page-context.ts'
import { PEOPLE_LINKS } from '../links.ts'
import { isRegistrationOn } from '../requirements.ts'
import { showOwn, takeOwn } from './own.ts'
import { showRegister, takeRegister } from './register.ts'

const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
const idIn = (c: Context<AppEnv>): number => Number(c.req.param('id'))

/** The page of somebody who has registered. It counts what it limits: giving back has no limit. */
const ownPage = (isOn: (site: PageContext) => boolean): VisitorPage => ({
  path: PEOPLE_LINKS.path,
  count: () => undefined,
  show: (site, c) => showOwn(site, tokenIn(c), new URL(c.req.url), isOn(site)),
  take: (site, data, c) => takeOwn(site, tokenIn(c), data, isOn(site)),
})

/** Mounts the pages on which people do nothing but give back what they have. */
export const mountOwn = (app: Hono<AppEnv>): void =>
  mountVisitorPages(app, '/registrations', [ownPage(() => false)])

/** Mounts the pages on which people register, and their own pages. */
export function mountRegister(app: Hono<AppEnv>): void {
  mountVisitorPages(app, '/registrations', [ownPage(({ context }) => isRegistrationOn(context))])
  mountVisitorPages(app, '/register', [
    {
      path: '/register/:id{[0-9]+}/',
      isForm: true,
      show: (site, c) => showRegister(site, idIn(c), new URL(c.req.url)),
      take: (site, data, c) => takeRegister(site, idIn(c), data),
    },
  ])
}
