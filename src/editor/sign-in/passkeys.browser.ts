import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { required } from '../../kit/lib/required.browser.ts'

// Forms filled in by a passkey: the server provides the options for the browser, and gets its response.

/** A function that asks the device to use or make a passkey, with the server's options for that. */
type Ask = (
  options: Parameters<typeof startAuthentication>[0] & Parameters<typeof startRegistration>[0],
) => Promise<unknown>

/** The time after which a passkey is offered again: the server's options are valid for five minutes. */
const OFFERED_MS = 240_000

/** The forms whose button was pressed: their request ends when another starts. */
const asking = new Set<HTMLFormElement>()

async function respond(form: HTMLFormElement, ask: Ask, useBrowserAutofill: boolean): Promise<void> {
  const url = new URL('../options/', form.action)
  const name = form.querySelector<HTMLInputElement>('[name="name"]')
  if (name?.value) url.searchParams.set('name', name.value)
  const response = await fetch(url)
  // Users who signed in some time ago must do so again, and come back to the name of their new passkey.
  if (response.redirected) return location.assign(response.url)
  const optionsJSON = await response.json()
  if (useBrowserAutofill && asking.has(form)) return
  required(form.querySelector<HTMLInputElement>('[name="response"]')).value = JSON.stringify(
    await ask({ optionsJSON, useBrowserAutofill }),
  )
  form.submit()
}

/** Lets the browser suggest passkeys in the login field. Ignoring them is not an error. */
async function offer(form: HTMLFormElement): Promise<void> {
  if (form.id !== 'passkey-sign-in' || asking.has(form)) return
  if (await browserSupportsWebAuthnAutofill()) respond(form, startAuthentication, true).catch(() => {})
}

const FORMS: readonly (readonly [selector: string, ask: Ask])[] = [
  ['#passkey-sign-in', startAuthentication],
  ['#passkey-new', startRegistration],
]

for (const [selector, ask] of FORMS) {
  const form = document.querySelector<HTMLFormElement>(selector)
  if (!form || !browserSupportsWebAuthn()) continue
  for (const part of document.querySelectorAll<HTMLElement>('.passkey')) part.hidden = false
  const note = required(form.querySelector<HTMLElement>('[data-failed]'))
  form.addEventListener('submit', async event => {
    event.preventDefault()
    note.hidden = true
    asking.add(form)
    try {
      await respond(form, ask, false)
    } catch (error) {
      // The device already has one of the passkeys in the options.
      const isKnown = error instanceof Error && error.name === 'InvalidStateError'
      note.textContent = (isKnown && note.dataset.known) || note.textContent
      note.hidden = false
      asking.delete(form)
      offer(form)
    }
  })
  offer(form)
  setInterval(offer, OFFERED_MS, form)
}
