import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../../kit/env.ts'
import { mountVisitorPages, type VisitorPage } from '../../../../site/forms/visitor-pages.ts'
import { isNewsOn } from '../availability.ts'
import { NEWS_LINKS } from '../links.ts'
import { NEWS_PATH } from './form.ts'
import { takeSignUp } from './new.ts'
import { isOneClick, leavingPage, subscriberPage, takeLeaving, takeSubscriberForm } from './subscriber.ts'

const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''

/** What the pages of all subscribers have in common. */
const OWN = {
  path: NEWS_LINKS.path,
  // Mail programs send what leaves for many people at once, those on the web from their own pages.
  count: () => undefined,
  isFromAnywhere: isOneClick,
} satisfies VisitorPage

/** Mounts the pages on which subscribers do nothing but leave. */
export const mountLeaving = (app: Hono<AppEnv>): void =>
  mountVisitorPages(app, '/news', [
    {
      ...OWN,
      show: (site, c) => leavingPage(site, tokenIn(c)),
      take: (site, data, c) => takeLeaving(site, tokenIn(c), data),
    },
  ])

/** Mounts the pages of news. Those of subscribers are there even when nobody can sign up any more, so that everybody can leave. */
export const mountNews = (app: Hono<AppEnv>): void =>
  mountVisitorPages(app, '/news', [
    {
      ...OWN,
      show: (site, c) => subscriberPage(site, tokenIn(c), new URL(c.req.url)),
      take: (site, data, c) => takeSubscriberForm(site, tokenIn(c), data),
    },
    { path: NEWS_PATH, isForm: true, isOn: isNewsOn, take: takeSignUp },
  ])
