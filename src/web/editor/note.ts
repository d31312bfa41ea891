import { reasonsOf } from '../forms/errors.ts'
import type { WriteReply } from '../forms/requests.ts'
import { html } from '../html/html.ts'
import type { Admin } from './admin.ts'
import type { AdminPage } from './layout.ts'

type Note = Pick<AdminPage, 'title' | 'status'> & { text: string; link?: { href: string; text: string } }

/** A page that says one thing, with the way on. */
export const notePage = ({ title, text, link, ...page }: Note): AdminPage => ({
  title,
  ...page,
  isNarrow: true,
  main: html`<h1>${title}</h1><p class="lead">${text}</p>${link && html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}`,
})

/** The page that says why something was not done. @param back where it was asked for */
export const refusedPage = (admin: Admin, reply: WriteReply, back: string): AdminPage =>
  notePage({
    title: admin.words.refused,
    status: 409,
    text: reasonsOf(admin, reply),
    link: { href: back, text: admin.words.back },
  })
