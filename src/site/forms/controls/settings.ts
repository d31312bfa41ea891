import { LOCALES, namedCodes } from '../../../kit/lib/languages.ts'
import { zonesFor } from '../../../kit/lib/zones.ts'
import { textsIn } from '../../../words/words.ts'
import { html, type Options } from '../../html/html.ts'
import type { Control } from '../control.ts'
import { entry } from '../entries.ts'
import { labelledField, stateOf } from '../field-html.ts'
import { choiceFrom } from './choice.ts'
import { lineControl } from './text.ts'

/** A choice of a setting, or of its default. */
const choiceOf = (options: (language: string) => Options): Control =>
  choiceFrom(({ site: { language } }) => [['', textsIn(language).settings.none], ...options(language)])

export const zoneControl = choiceOf(language => zonesFor(language).map(zone => [zone, zone] as const))

/** A language of the pages, with or without a region. */
export const languageControl = choiceOf(language => namedCodes(language, 'language', LOCALES))

/**
 * The choice of a language: one of the pages, the calendar's own, or the stored one, whose region may be any.
 */
export const languageChoice = choiceFrom(({ site }, chosen) =>
  namedCodes(site.language, 'language', [
    ...new Set([...LOCALES, site.settings.language, chosen].filter(Boolean)),
  ]),
)

export const currencyControl = choiceOf(language =>
  namedCodes(language, 'currency', Intl.supportedValuesOf('currency')),
)

/** A point of the header image, in percent. A script shows the image, on which it can be clicked. */
export const focusControl: Control = {
  ...lineControl(),
  render: view =>
    labelledField(
      view,
      html`<input id="${view.id}" name="${view.name}" value="${entry(view.entries, view.name)}" maxlength="9" placeholder="50 50" autocomplete="off"${stateOf(view)}>
<div class="focus" data-focus="${view.id}" data-image="header_image" hidden><img alt=""><span></span></div>`,
    ),
}

/**
 * A colour, with samples of links and buttons on light and on dark pages. Its options are the texts of the
 * samples.
 */
export const colourControl: Control = {
  ...lineControl(),
  render: view => {
    const colour = entry(view.entries, view.name)
    return labelledField(
      view,
      html`<div class="colour"><input id="${view.id}" name="${view.name}" value="${colour}" maxlength="7" placeholder="#1a6b54" autocomplete="off" autocapitalize="none" spellcheck="false"${stateOf(view)}>
<input type="color" value="${colour || '#1c5f5a'}" data-colour="${view.id}" aria-label="${view.options?.picker}" hidden></div>
<div class="colour-previews">${(['light', 'dark'] as const).map(
        scheme =>
          html`<p class="colour-preview is-${scheme}"><span class="small">${view.options?.[scheme]}</span> <span class="colour-link">${view.options?.link}</span> <span class="button">${view.options?.button}</span></p>`,
      )}</div>`,
    )
  },
}
