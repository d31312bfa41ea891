import { mapped, together } from '../../db/query.ts'
import { isObject } from '../../lib/values.ts'
import { entriesFor, wasEntries } from '../forms/form.ts'
import { loadChoices } from '../forms/load.ts'
import { type FormResource, takeForm } from '../forms/resource.ts'
import { type AdminRoute, defineAction, defineAdminPage } from '../route.ts'
import { formPage } from './form-page.ts'
import { assertEditable, type Found, idIn, pathOf, type Resource } from './resource.ts'
import { inTrash } from './trash.ts'

/** The pages and actions of the form of a resource. */
export function formRoutes(resource: Resource): AdminRoute[] {
  const { requires, createdBy } = resource
  const [newPath, path] = [pathOf(resource, 'new'), `${pathOf(resource)}:id{[0-9]+}/`]
  return [
    defineAdminPage({
      path: newPath,
      requires: createdBy,
      load: ({ context }) => loadChoices(context, resource.form, { entries: new Map(), chosen: {} }),
      respond: (admin, { loaded: choices }) => {
        const entries = entriesFor(resource.form, {}, admin.context)
        const hidden = new Map([...wasEntries(resource.form, entries), ['key', [crypto.randomUUID()]]])
        return formPage(admin, resource, { entries, hidden, errors: new Map(), choices })
      },
    }),
    defineAction({
      path: newPath,
      requires: createdBy,
      handle: (admin, { form: data }) => takeForm(admin, formResource(resource), { data, id: undefined }),
    }),
    defineAdminPage({
      path,
      requires,
      load: ({ context }, { params }) =>
        together({
          found: resource.find(context, idIn(params)),
          choices: loadChoices(context, resource.form, { entries: new Map(), chosen: {} }),
        }),
      respond: (admin, { loaded: { found: row, choices } }) => {
        const { context } = admin
        const found = assertEditable(context, resource, row)
        if (found.status === 'trash') return inTrash(admin, resource, found)
        const entries = entriesFor(resource.form, found.body, context)
        const hidden = new Map([...wasEntries(resource.form, entries), ['version', [String(found.version)]]])
        return formPage(
          admin,
          resource,
          { entries, hidden, errors: new Map(), choices: withImage(choices, found) },
          { id: found.id, title: found.name, known: found },
        )
      },
    }),
    defineAction({
      path,
      requires,
      handle: (admin, { form: data, params }) =>
        takeForm(admin, formResource(resource), { data, id: idIn(params) }),
    }),
  ]
}

type Choices = Parameters<typeof formPage>[2]['choices']

/** What a form offers, with the image that is chosen. */
function withImage(choices: Choices, { body: { image } }: Found): Choices {
  const { images } = choices
  if (!images || images.chosen || !isObject(image)) return choices
  const { id, url, sizes, alt_text } = image
  const thumbnail = isObject(sizes) && isObject(sizes.thumbnail) ? sizes.thumbnail.url : url
  return {
    ...choices,
    images: {
      ...images,
      chosen: {
        id: Number(id),
        url: String(url),
        thumbnail: String(thumbnail),
        name: String(alt_text || `#${id}`),
        alt: String(alt_text ?? ''),
      },
    },
  }
}

/** What a form of a resource is sent to the API as, and what its pages show. */
const formResource = (resource: Resource): FormResource<Found> => ({
  form: resource.form,
  collection: `/${resource.name}`,
  kind: resource.singular,
  nameField: nameField(resource),
  address: id => pathOf(resource, id ?? 'new'),
  onward: () => pathOf(resource),
  stored: ({ context }, id) =>
    mapped(resource.find(context, id), row => () => {
      const found = assertEditable(context, resource, row)
      const { body, version, name: title } = found
      return { body, version, title, known: found, withShown: choices => withImage(choices, found) }
    }),
  page: (admin, state, shown) => formPage(admin, resource, state, shown),
})

/** The field with the name: terms have one of that name. */
const nameField = ({ form, singular }: Resource): string =>
  form.fields.some(({ name }) => name === singular) ? singular : 'name'
