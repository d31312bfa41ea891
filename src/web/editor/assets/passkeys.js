// Forms that a passkey fills in: the server gives what the browser is asked for, and gets its response.

const passkeys = globalThis.SimpleWebAuthnBrowser

/** Milliseconds after which a passkey is offered anew: what the server gives holds for five minutes. */
const OFFERED_MS = 240_000

/** The forms whose button was pressed: what it asks ends if something else is asked. */
const asking = new Set()

async function respond(form, ask, useBrowserAutofill) {
  const given = await fetch(new URL('../options/', form.action))
  // Whoever signed in some time ago does so again first.
  if (given.redirected) return location.assign(given.url)
  const optionsJSON = await given.json()
  if (useBrowserAutofill && asking.has(form)) return
  form.elements.response.value = JSON.stringify(await ask({ optionsJSON, useBrowserAutofill }))
  form.submit()
}

/** Lets the browser offer a passkey with the logins that it knows. Whoever takes none is told nothing. */
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
  const failed = form.querySelector('[data-failed]')
  form.addEventListener('submit', async event => {
    event.preventDefault()
    failed.hidden = true
    asking.add(form)
    try {
      await respond(form, passkeys[ask], false)
    } catch (error) {
      // The device has one already, as the list of the options says.
      failed.textContent = (error.name === 'InvalidStateError' && failed.dataset.known) || failed.textContent
      failed.hidden = false
      asking.delete(form)
      offer(form)
    }
  })
  offer(form)
  setInterval(offer, OFFERED_MS, form)
}
