import { paramsOf } from '../../resources/content/fields.ts'
import { SOURCE_FIELDS } from '../../resources/sources/schema.ts'
import { radios, rights } from '../../web/forms/controls/choice.ts'
import { oneLink, tagLinks } from '../../web/forms/controls/links.ts'
import { urlControl } from '../../web/forms/controls/text.ts'
import { categoryTree } from '../../web/forms/controls/tree.ts'
import { defineForm, inDetails, inFirst } from '../../web/forms/form.ts'

/** The form of sources. Their kind is detected. */
export const SOURCE_FORM = defineForm('source', paramsOf(SOURCE_FIELDS), {
  name: inFirst(),
  url: inFirst(urlControl),
  every: inFirst(),
  status: { ...inFirst(radios(['publish', 'pending', 'draft'])), isRequired: true },
  categories: inFirst(categoryTree),
  tags: inDetails(tagLinks),
  venue: inDetails(oneLink),
  organizer: inDetails(oneLink),
  search: inDetails(),
  mirror: {},
  rights: { control: rights },
  reading: null,
  kind: null,
  state: null,
})
