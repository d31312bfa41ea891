// Forms that a passkey fills in: the server gives what the browser is asked for, and gets its response.

const passkeys = globalThis.SimpleWebAuthnBrowser

async function respond(form, ask) {
  const failed = form.querySelector('[data-failed]')
  failed.hidden = true
  try {
    const optionsJSON = await (await fetch(new URL('../options/', form.action))).json()
    form.elements.response.value = JSON.stringify(await ask({ optionsJSON }))
  } catch (error) {
    // The device has one already, as the list of the options says.
    failed.textContent = (error.name === 'InvalidStateError' && failed.dataset.known) || failed.textContent
    failed.hidden = false
    return
  }
  form.submit()
}

for (const [id, ask] of [
  ['passkey-sign-in', 'startAuthentication'],
  ['passkey-new', 'startRegistration'],
]) {
  const form = document.getElementById(id)
  if (!form || !passkeys?.browserSupportsWebAuthn()) continue
  for (const part of document.querySelectorAll('.passkey')) part.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    respond(form, passkeys[ask])
  })
}
