// Forms filled in by a passkey: the server provides the options for the browser, and gets its response.

const passkeys = globalThis.SimpleWebAuthnBrowser

/** The time after which a passkey is offered again: the server's options are valid for five minutes. */
const OFFERED_MS = 240_000

/** The forms whose button was pressed: their request ends when another starts. */
const asking = new Set()

async function respond(form, ask, useBrowserAutofill) {
  const url = new URL('../options/', form.action)
  const { name, response } = form.elements
  if (name?.value) url.searchParams.set('name', name.value)
  const optionsResponse = await fetch(url)
  // Users who signed in some time ago must do so again, and come back to the name of their new passkey.
  if (optionsResponse.redirected) return location.assign(optionsResponse.url)
  const optionsJSON = await optionsResponse.json()
  if (useBrowserAutofill && asking.has(form)) return
  response.value = JSON.stringify(await ask({ optionsJSON, useBrowserAutofill }))
  form.submit()
}

/** Lets the browser suggest passkeys in the login field. Ignoring them is not an error. */
async function offer(form) {
  if (form.id !== 'passkey-sign-in' || asking.has(form)) return
  if (await passkeys.browserSupportsWebAuthnAutofill())
    respond(form, passkeys.startAuthentication, true).catch(() => {})
}

for (const [id, ask] of [
  ['passkey-sign-in', 'startAuthentication'],
  ['passkey-new', 'startRegistration'],
]) {
  const form = document.getElementById(id)
  if (!form || !passkeys?.browserSupportsWebAuthn()) continue
  for (const part of document.querySelectorAll('.passkey')) part.hidden = false
  const note = form.querySelector('[data-failed]')
  form.addEventListener('submit', async event => {
    event.preventDefault()
    note.hidden = true
    asking.add(form)
    try {
      await respond(form, passkeys[ask], false)
    } catch (error) {
      // The device already has one of the passkeys in the options.
      note.textContent = (error.name === 'InvalidStateError' && note.dataset.known) || note.textContent
      note.hidden = false
      asking.delete(form)
      offer(form)
    }
  })
  offer(form)
  setInterval(offer, OFFERED_MS, form)
}
