import type { EditorContext } from '../../../editor/context.ts'
import { pick } from '../../../kit/lib/values.ts'
import { momentThere } from '../../../words/events.ts'
import type { Occasion } from '../occasion.ts'
import {
  formerInputName,
  type RefusedForm,
  registrationEntries,
  SETTING_NAMES,
  type SettingName,
  type ShownEntries,
} from './page.ts'

/**
 * The stored value of a setting that two people have changed. It is never a box: nobody can change a box in
 * two ways.
 */
function storedText(
  { texts, site, context }: EditorContext,
  { event }: Occasion,
  name: SettingName,
  value = '',
): string {
  if (value === '') return texts.form.nothing
  if (name === 'scope') return texts.registration[value === 'series' ? 'scopeSeries' : 'scopeEvent']
  if (name !== 'opens' && name !== 'closes') return value
  const wall = `${value.replace('T', ' ')}:00`
  return momentThere(site, { wall, timezone: event.timezone }, context.settings.timezone)
}

/**
 * The form again, if somebody else has changed the same settings since it was opened, or ended the
 * registration: nobody overwrites what they have not seen. Sending it once more keeps what was typed.
 */
export function staleForm(
  editor: EditorContext,
  occasion: Occasion,
  { entries, changedNames }: { entries: ShownEntries; changedNames: readonly SettingName[] },
): RefusedForm | undefined {
  const { texts, site } = editor
  const stored = registrationEntries(occasion)
  const ofOthers = SETTING_NAMES.filter(
    name => (entries[formerInputName(name)] ?? stored[name]) !== stored[name],
  )
  const disputed = ofOthers.filter(name => changedNames.includes(name) && entries[name] !== stored[name])
  const hasEnded = !occasion.registration && ofOthers.length > 0
  if (disputed.length === 0 && !hasEnded) return undefined
  const theirs = (name: SettingName) =>
    `${texts.form.theirs}${site.words.colon}${storedText(editor, occasion, name, stored[name])}`
  return {
    entries: {
      ...(hasEnded ? entries : { ...stored, ...pick(entries, ...changedNames) }),
      ...Object.fromEntries(SETTING_NAMES.map(name => [formerInputName(name), stored[name] ?? ''])),
    },
    errors: new Map([
      ['', hasEnded ? texts.registration.ended_by_organizer : texts.registration.settingsChanged],
      ...(hasEnded ? [] : disputed.map(name => [name, theirs(name)] as const)),
    ]),
  }
}
