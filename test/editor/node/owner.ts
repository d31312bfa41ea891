import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Service } from '../../service.ts'

/**
 * Sends the form by which the administrator signs in, without a page.
 * @param site the origin that cookies are for
 */
export async function signInOwner(page: Page, site: string, { password }: Service): Promise<void> {
  const { request } = page.context()
  const signIn = await (await request.get(`${site}/admin/sign-in/`)).text()
  const [, token = ''] = /name="_token" value="([^"]*)"/.exec(signIn) ?? []
  const response = await request.post(`${site}/admin/sign-in/password/`, {
    form: { _token: token, login: 'admin', password },
    headers: { origin: site },
    maxRedirects: 0,
  })
  expect(response.headers().location).toBe('/admin/')
}

/** A device that makes passkeys. Its owner is present, and verified unless a test says otherwise. */
export type Device = { setVerified: (value: boolean) => Promise<unknown> }

/** Gives the browser of a page such a device. */
export async function addDevice(page: Page): Promise<Device> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: isUserVerified =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}
