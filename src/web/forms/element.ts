import { type Html, html } from '../html/html.ts'

/** The name of the field that carries the token. */
export const TOKEN = '_token'

type Form = {
  /** A path below /admin/. */
  action: string
  body: Html
  /** Classes of the element. */
  look?: string
  id?: string
  /** True if it has files. */
  hasFiles?: boolean
}

/** A form that is sent to an action, with the token without which nothing is done. */
export const form = ({ token }: { token: string }, { action, body, look, id, hasFiles }: Form): Html =>
  html`<form method="post" action="${action}"${look && html` class="${look}"`}${id && html` id="${id}"`}${hasFiles && html` enctype="multipart/form-data"`}>
<input type="hidden" name="${TOKEN}" value="${token}">
${body}
</form>`

/** What was wrong with a form or a control; nothing if nothing was. */
export const problem = (id: string, text: string | undefined): Html | '' =>
  text ? html`<p class="form-error" id="${id}" role="alert">${text}</p>` : ''

/** The addresses of the style and the script that pages with forms have. */
export const STYLE = '/_admin/editor.css'
export const SCRIPT = '/_admin/editor.js'
