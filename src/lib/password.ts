const hex = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * The SHA-256 digest under which an application password is stored, in hexadecimal. Blanks don't count:
 * passwords are shown in groups. A plain hash suffices because passwords are never chosen by people.
 */
export async function digestOf(password: string): Promise<string> {
  const bytes = new TextEncoder().encode(password.replace(/\s/g, ''))
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** A new application password: 160 random bits as eight groups of five characters, base 32 without look-alikes. */
export function randomPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789'
  const symbols = [...crypto.getRandomValues(new Uint8Array(40))].map(byte => alphabet[byte % 32])
  return symbols.join('').replace(/.{5}(?=.)/g, '$& ')
}
