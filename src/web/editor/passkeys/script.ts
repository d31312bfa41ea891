/** The library of browsers for passkeys. The script of the editor uses it on pages that have it. */
export const PASSKEY_SCRIPT = '/_admin/webauthn.js'
