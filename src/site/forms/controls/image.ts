import { MAX_FILE_BYTES } from '../../../kit/http/form-data.ts'
import { FIELD_LIMITS, isObject } from '../../../kit/lib/values.ts'
import { textsIn } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import type { Control, FieldView, OfferedImage } from '../control.ts'
import { entry } from '../entries.ts'
import { describedByAttribute, group } from '../field-html.ts'
import { searchInput, searchRow } from './links.ts'

export const IMAGE_FIELDS = ['image', 'header_image'] as const

/** The names of the inputs for an image that is uploaded with the form. */
export const fileInput = (name: string): string => `${name}_file`
export const altInput = (name: string): string => `${name}_alt`

/** The choice of an image from the library, or of a file with its alternative text. */
export const imageControl: Control = {
  show: (body, name) => {
    const image = body[name]
    return [[name, [isObject(image) ? String(image.id) : '']]]
  },
  value: entry,
  read: (entries, name, { choices: { images }, words }) => {
    const id = entry(entries, name)
    const { chosen: ownImage, library = [] } = images?.[name] ?? {}
    const allImages = [...(ownImage ? [ownImage] : []), ...library]
    const chosen = allImages.find(image => String(image.id) === id)
    return id === '' ? words.none : (chosen?.name ?? `#${id}`)
  },
  render: view =>
    group(view, html`${uploadField(view, chosenImage(view))}${libraryChoice(view)}`, 'is-image'),
}

const imageOption = (view: FieldView, value: string, content: Html): Html =>
  html`<label class="image-choice"><input type="radio" name="${view.name}" value="${value}"${value === entry(view.entries, view.name) && html` checked`}>${content}</label>`

const thumbnailOf = ({ thumbnail, full, name, alt }: OfferedImage): Html =>
  html`<img src="${thumbnail}" data-full="${full}" alt="${alt || name}" width="96" height="96" loading="lazy" decoding="async">`

const noImage = (view: FieldView): Html =>
  imageOption(view, '', html`<span>${view.words.withoutImage}</span>`)

/** The chosen image, and the option for none. */
function chosenImage(view: FieldView): Html | '' {
  const id = entry(view.entries, view.name)
  if (id === '') return ''
  const { chosen } = view.choices.images?.[view.name] ?? {}
  return html`<div class="images">${imageOption(view, id, chosen ? html`${thumbnailOf(chosen)}<span class="hidden">${view.words.thisImage}</span>` : html`<span>#${id}</span>`)}${noImage(view)}</div>`
}

/** The newest images, or the results of a search. */
function libraryChoice(view: FieldView): Html | '' {
  const { id, name, words, entries } = view
  const chosenId = entry(entries, name)
  const search = entry(entries, searchInput(name))
  const otherImages = (view.choices.images?.[name]?.library ?? []).filter(
    image => String(image.id) !== chosenId,
  )
  // Without anything to choose from, the form still says that there is no image, so that nothing seems to
  // have changed.
  if (otherImages.length === 0 && search === '')
    return chosenId === '' ? html`<input type="hidden" name="${name}" value="">` : ''
  return html`<details class="library"${search !== '' && html` open`}><summary>${words.fromLibrary}</summary>
<div class="picker">${searchRow(view, `${id}-search`, html`${search !== '' && html` autofocus`}`)}</div>
<div class="images">${chosenId === '' && noImage(view)}${otherImages.map(image => imageOption(view, String(image.id), thumbnailOf(image)))}
${otherImages.length === 0 && html`<p class="small">${words.noneFound}</p>`}</div></details>`
}

/**
 * The chosen image, and the input of a new one. Scripts let people drop or paste a file there, and show it.
 */
function uploadField(view: FieldView, chosenHtml: Html | ''): Html | '' {
  const { id, name, words, entries } = view
  if (!view.choices.mayUpload) return chosenHtml
  const { large_file, no_image } = textsIn(view.site.language).reason
  return html`<div class="poster" data-poster="${words.newImage}" data-most="${MAX_FILE_BYTES}" data-too-large="${large_file}" data-no-image="${no_image}">
${chosenHtml}<div class="poster-file"><label class="hidden" for="${id}">${words.uploadImage}</label>
<input id="${id}" type="file" name="${fileInput(name)}" accept="image/*"${describedByAttribute(view)}${view.isFocused && html` autofocus`}>
<p class="field-help" data-poster-hint hidden>${words.dropImage}</p></div>
<div class="poster-alt"><label for="${id}-alt">${words.altText}</label>
<input id="${id}-alt" name="${altInput(name)}" value="${entry(entries, altInput(name))}" maxlength="${FIELD_LIMITS.text}" autocomplete="off" aria-describedby="${id}-alt-help">
<p class="field-help" id="${id}-alt-help">${words.altTextHelp}</p></div></div>`
}
