import type { DocsContext } from '../../kit/context.ts'
import { field } from '../../kit/http/params.ts'
import { languageOf } from '../../kit/lib/languages.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { asText, isMailAddress, refuse } from '../../kit/lib/values.ts'

// Fields that letters and news have in common.

type AddressWords = {
  description: string
  example: string
  /** The address that the error names. */
  suchAs: string
}

/** One address that can receive mail. */
export const addressField = ({ suchAs, ...words }: AddressWords) =>
  field(
    raw => {
      // Of several values, others take the last one.
      const text = typeof raw === 'string' ? raw.trim() : ''
      return isMailAddress(text)
        ? text
        : refuse(codedReason('no_email', `must be one e-mail address such as ${suchAs}`))
    },
    { type: 'string', format: 'email', maxLength: 254, ...words },
  )

/** The language of the e-mail, by default the calendar's. */
export const languageField = (description: string) =>
  field(
    raw => {
      const tag = asText(raw).trim()
      return languageOf(tag) ? tag : refuse('must be a language of the calendar, such as en or en-IE')
    },
    {
      type: 'string',
      description,
      default: ({ settings }: Pick<DocsContext, 'settings'>) => settings.website.language,
      example: 'en',
    },
  )
