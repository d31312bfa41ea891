import { html, raw } from 'hono/html'

/** A part of a page: escaped, or made of escaped parts. */
export type Html = ReturnType<typeof html>

export { html, raw }
