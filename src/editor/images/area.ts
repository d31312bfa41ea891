import * as z from 'zod/mini'
import {
  type ImageRow,
  requireImage,
  selectImageById,
  selectNewestMedia,
  serializeLibraryImage,
} from '../../calendar/media/queries.ts'
import { type ImageUse, selectUses } from '../../calendar/media/uses.ts'
import { mayChangeImage } from '../../calendar/media/writes.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { integer, search } from '../../kit/http/params.ts'
import { may } from '../../kit/lib/roles.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import { blank } from '../../site/forms/entries.ts'
import { buttonForm, form, formText, inputField } from '../../site/forms/field-html.ts'
import { IMAGE_FORM } from '../../site/forms/forms.ts'
import { mayUpload, offeredFromLibrary } from '../../site/forms/load.ts'
import { type FormState, renderForm } from '../../site/forms/render.ts'
import { isDone, reasonsOf, replyValue, upload } from '../../site/forms/requests.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { nameOf } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { formAddress, kindName } from '../history/area.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, findInput, listFinder, pageLinks } from '../lists.ts'
import { type Area, defineAction, defineEditorPage, defineRequest } from '../pages-and-actions.ts'
import { fieldsForm, saveButton, storedPage } from '../resource-forms/routes.ts'
import { notePage, refusedPage } from '../respond.ts'

const LIBRARY_PATH = '/admin/images/'

const imagePath = (id: number | string): string => `${LIBRARY_PATH}${id}/`

const libraryQuery = z.object({
  search: blank(search({ description: 'Words in title, alternative text or caption.' })),
  before: blank(integer({ description: 'Only older ones than the image of this id.' })),
})

/** Images on a page. One more is read, to know whether there is a next page. */
const PER_PAGE = 48

const libraryPage = defineEditorPage({
  path: LIBRARY_PATH,
  requires: 'edit_content',
  query: libraryQuery,
  load: ({ context }, { query: { search: words = '', before } }) =>
    selectNewestMedia(context, { search: words, limit: PER_PAGE + 1, before }),
  respond: (editor, { query, loaded: rows }) => {
    const offeredImages = rows.slice(0, PER_PAGE).map(row => offeredFromLibrary(editor.context, row))
    const words = editor.texts.image
    const lastImage = offeredImages.at(-1)
    const addressBefore = (before: number | undefined) => addressWith(LIBRARY_PATH, { ...query, before })
    return {
      title: words.images,
      main: html`<h1>${words.images}</h1>
${mayUpload(editor.context) && uploadForm(editor)}
<search class="find">${listFinder(editor, { action: LIBRARY_PATH, fields: findInput('search', words.search, query.search) })}</search>
${
  offeredImages.length === 0
    ? html`<div class="empty"><h2>${words.none}</h2><p>${words.noneText}</p></div>`
    : html`<ul class="library-grid">${offeredImages.map(
        ({ id, thumbnail, name, alt }) =>
          html`<li><a href="${imagePath(id)}"><img src="${thumbnail}" alt="" width="150" height="150" loading="lazy"
 decoding="async"><span>${name}</span></a>${alt === '' && html`<span class="badge badge-quiet">${words.noAlt}</span>`}</li>`,
      )}</ul>`
}
${pageLinks(editor, { first: query.before !== undefined && addressBefore(undefined), next: rows.length > PER_PAGE && addressBefore(lastImage?.id) })}`,
    }
  },
})

function uploadForm(editor: EditorContext, { alt = '', error }: { alt?: string; error?: string } = {}): Html {
  const words = editor.texts.image
  const formWords = editor.texts.form
  return form(editor, {
    action: LIBRARY_PATH,
    className: 'editor-form upload-form',
    hasFiles: true,
    body: html`<h2>${formWords.uploadImage}</h2>
${inputField({ id: 'upload-file', name: 'file', label: words.file, error }, html` type="file" accept="image/*" required`)}
${inputField({ id: 'upload-alt', name: 'alt_text', label: formWords.altText, help: formWords.altTextHelp, value: alt }, html` maxlength="${FIELD_LIMITS.text}" autocomplete="off"`)}
<button class="button" type="submit">${words.uploadButton}</button>`,
  })
}

/** Uploads an image with its alternative text. Identical bytes are the same image. */
const uploadAction = defineAction({
  path: LIBRARY_PATH,
  requires: 'upload_media',
  handle: async (editor, { form: data }) => {
    const words = editor.texts.image
    const file = data.get('file')
    const alt = formText(data, 'alt_text')
    if (!(file instanceof File) || file.size === 0) return refusedUpload(editor, alt, words.noFile)
    const reply = await upload(editor, file, alt)
    return isDone(reply)
      ? { to: imagePath(Number(replyValue(reply, 'id'))), notice: { text: words.uploaded } }
      : refusedUpload(editor, alt, reasonsOf(editor, reply))
  },
})

const refusedUpload = (editor: EditorContext, alt: string, error: string): EditorPage => ({
  title: editor.texts.form.uploadImage,
  status: 422,
  isNarrow: true,
  main: html`<h1>${editor.texts.image.images}</h1>${uploadForm(editor, { alt, error })}`,
})

/** The most uses listed of each resource. */
const MAX_USES = 20

type LoadedImage = {
  row: ImageRow
  uses: readonly ImageUse[]
  /** True if anything uses it, even if the caller may not read that. */
  isUsed: boolean
}

function useHtml(editor: EditorContext, { kind, id, name, slug }: ImageUse): Html {
  const address =
    kind === 'settings' && !may(editor.context.caller, 'manage_settings')
      ? undefined
      : formAddress(editor.context.settings, kind, id)
  const text = kind === 'settings' ? kindName(editor, kind) : nameOf(name, slug)
  return html`${address ? html`<a href="${address}">${text}</a>` : text}${kind !== 'settings' && html` <span class="small">${kindName(editor, kind)}</span>`}`
}

function imagePage(
  editor: EditorContext,
  state: FormState,
  title: string,
  { row, uses, isUsed }: LoadedImage,
): EditorPage {
  const words = editor.texts.image
  const { url, width, height, alt_text } = serializeLibraryImage(row, editor.context)
  return {
    title,
    main: html`${backLink(LIBRARY_PATH, words.images)}<div class="page-head"><h1>${title}</h1></div>
<div class="editor-columns image-page"><div class="editor-main">
${mayChangeImage(editor.context, row) ? textForm(editor, state, row.id) : html`<p>${words.notYours}</p>`}
<section><h2>${words.usedBy}</h2>${
      uses.length === 0
        ? html`<p class="small">${isUsed ? words.usedOutOfSight : words.unused}</p>`
        : html`<ul class="card-list">${uses.map(use => html`<li>${useHtml(editor, use)}</li>`)}</ul>`
    }</section>
${
  !isUsed &&
  mayChangeImage(editor.context, row) &&
  buttonForm(editor, {
    action: `${imagePath(row.id)}delete/`,
    text: editor.words.forGood,
    className: 'link-button is-danger',
  })
}</div>
<div class="editor-side"><img class="image-whole" src="${url}" alt="${alt_text}"${width && height && html` width="${width}" height="${height}"`}>
${width && height && html`<p class="small">${filled(words.pixels, { width, height })}</p>`}
${row.author_id === null ? html`<p class="small">${filled(words.elsewhere, { address: url })}</p>` : html`<p><a href="${url}">${words.view}</a></p>`}</div></div>`,
  }
}

function textForm(editor: EditorContext, state: FormState, id: number): Html {
  const parts = renderForm(editor, IMAGE_FORM, state)
  const body = html`${parts.head}${parts.main}<div class="actions">${saveButton(editor.words.save)}</div>`
  return fieldsForm(editor, { action: imagePath(id), state, body })
}

const imageForm = storedPage<LoadedImage>({
  form: IMAGE_FORM,
  collection: '/media',
  nameField: 'title',
  requires: 'edit_content',
  address: imagePath,
  selectStored: ({ context }, id) =>
    combineQueries(
      { imageRow: selectImageById(context, id), imageUses: selectUses(context, id, MAX_USES) },
      ({ imageRow, imageUses }) =>
        () => {
          const row = requireImage(imageRow)
          const body = serializeLibraryImage(row, context)
          return {
            body,
            version: row.version,
            title: offeredFromLibrary(context, row).name,
            known: { row, ...imageUses },
          }
        },
    ),
  page: (editor, state, shownImage) => {
    const { id = 0, title = '', known } = shownImage ?? {}
    if (known) return imagePage(editor, state, title, known)
    return { title, isNarrow: true, main: html`<h1>${title}</h1>${textForm(editor, state, id)}` }
  },
})

const deleteAction = defineRequest({
  path: `${LIBRARY_PATH}:id{[0-9]+}/delete/`,
  requires: 'edit_content',
  request: (_, { id }) => ({ method: 'DELETE', path: `/media/${id}` }),
  onDone: editor => ({ to: LIBRARY_PATH, notice: { text: editor.texts.image.removed } }),
  backPath: imagePath,
  refused: (editor, reply, { id }) => {
    if (errorIn(reply).code !== 'image-is-in-use') return refusedPage(editor, reply, imagePath(id))
    const words = editor.texts.image
    const link = { href: imagePath(id), text: editor.words.back }
    return notePage({ title: words.notRemoved, status: 409, text: words.inUse, link })
  },
})

/** Images: the library, their texts and their uses. */
export const imagesArea: Area = {
  routes: [libraryPage, uploadAction, imageForm, deleteAction],
  menu: [{ path: LIBRARY_PATH, label: texts => texts.image.images, requires: 'edit_content' }],
}
