import * as z from 'zod/mini'
import { integer, search } from '../../../http/params.ts'
import { newestMedia } from '../../../resources/media/queries.ts'
import { formWords, imageWords } from '../../../words/words.ts'
import { blank } from '../../forms/blank.ts'
import type { OfferedImage } from '../../forms/choices.ts'
import { form } from '../../forms/element.ts'
import { reasonsOf } from '../../forms/errors.ts'
import { textOf } from '../../forms/form-body.ts'
import { mayUpload, offeredFromLibrary } from '../../forms/load.ts'
import { isDone, upload, valueIn } from '../../forms/requests.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { addressWith, findInput, listFinder, pages } from '../lists.ts'
import { defineAction, defineAdminPage } from '../route.ts'

export const LIBRARY = '/admin/images/'

/** The page of an image. */
export const imagePath = (id: number | string): string => `${LIBRARY}${id}/`

const libraryQuery = z.object({
  search: blank(search({ description: 'Words in title, alternative text or caption.' })),
  before: blank(integer({ description: 'Only older ones than the image of this id.' })),
})

type LibraryQuery = Partial<z.output<typeof libraryQuery>>

/** Images of a page. One more is read, to know of another page. */
const PER_PAGE = 48

/** The newest images. */
export const libraryPage = defineAdminPage({
  path: LIBRARY,
  requires: 'edit_content',
  query: libraryQuery,
  load: ({ context }, { query: { search: words = '', before } }) =>
    newestMedia(context, { search: words, most: PER_PAGE + 1, before }),
  respond: (admin, { query, loaded: rows }) => {
    const shown = rows.slice(0, PER_PAGE).map(row => offeredFromLibrary(admin.context, row))
    return libraryOf(admin, { query, shown, isLast: rows.length <= PER_PAGE })
  },
})

type Shown = { query: LibraryQuery; shown: readonly OfferedImage[]; isLast: boolean }

function libraryOf(admin: Admin, { query, shown, isLast }: Shown): AdminPage {
  const words = imageWords(admin.language)
  const last = shown.at(-1)
  const at = (before: number | undefined) => addressWith(LIBRARY, { ...query, before })
  return {
    title: words.images,
    main: html`<h1>${words.images}</h1>
${mayUpload(admin.context) && uploadForm(admin)}
<search class="find">${listFinder(admin, { action: LIBRARY, fields: findInput('search', words.search, query.search) })}</search>
${
  shown.length === 0
    ? html`<div class="empty"><h2>${words.none}</h2><p>${words.noneText}</p></div>`
    : html`<ul class="library-grid">${shown.map(
        ({ id, thumbnail, name, alt }) =>
          html`<li><a href="${imagePath(id)}"><img src="${thumbnail}" alt="" width="150" height="150" loading="lazy" decoding="async"><span>${name}</span></a>${alt === '' && html`<span class="badge badge-quiet">${words.noAlt}</span>`}</li>`,
      )}</ul>`
}
${pages(admin, { first: query.before !== undefined && at(undefined), next: !isLast && at(last?.id) })}`,
  }
}

function uploadForm(admin: Admin, { alt = '', error = '' } = {}): Html {
  const words = imageWords(admin.language)
  const said = formWords(admin.language)
  return form(admin, {
    action: LIBRARY,
    look: 'editor-form upload-form',
    hasFiles: true,
    body: html`<h2>${said.uploadImage}</h2>${error && html`<p class="field-error" id="upload-error" role="alert">${error}</p>`}
<div class="form-field"><label for="upload-file">${words.file}</label><input id="upload-file" type="file" name="file" accept="image/*" required${error && html` aria-invalid="true" aria-describedby="upload-error" autofocus`}></div>
<div class="form-field"><label for="upload-alt">${said.altText}</label><p class="field-help" id="upload-alt-help">${said.altTextHelp}</p><input id="upload-alt" name="alt_text" value="${alt}" maxlength="1000" autocomplete="off" aria-describedby="upload-alt-help"></div>
<button class="button" type="submit">${words.uploadButton}</button>`,
  })
}

/** Takes an image with its alternative text. The same bytes again are the same image. */
export const uploadAction = defineAction({
  path: LIBRARY,
  requires: 'upload_media',
  handle: async (admin, { form: data }) => {
    const words = imageWords(admin.language)
    const file = data.get('file')
    const alt = textOf(data, 'alt_text')
    if (!(file instanceof File) || file.size === 0) return refused(admin, alt, words.noFile)
    const reply = await upload(admin, file, alt)
    return isDone(reply)
      ? { to: imagePath(Number(valueIn(reply, 'id'))), notice: { text: words.uploaded } }
      : refused(admin, alt, reasonsOf(admin, reply))
  },
})

const refused = (admin: Admin, alt: string, error: string): AdminPage => ({
  title: formWords(admin.language).uploadImage,
  status: 422,
  isNarrow: true,
  main: html`<h1>${imageWords(admin.language).images}</h1>${uploadForm(admin, { alt, error })}`,
})
