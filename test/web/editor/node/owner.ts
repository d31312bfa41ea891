import type { Page } from 'playwright-core'
import type { Service } from '../../../service.ts'

/** Signs the administrator in by the form. @param site the origin that cookies are for */
export async function signInOwner(page: Page, site: string, { password }: Service): Promise<void> {
  await page.goto(`${site}/admin/sign-in/`)
  await page.fill('[name=login]', 'admin')
  await page.fill('[name=password]', password)
  await Promise.all([page.waitForURL('**/admin/'), page.press('[name=password]', 'Enter')])
}

/** A device that makes passkeys, whose owner is there, and known to it unless the test says otherwise. */
export type Device = { isVerified: (value: boolean) => Promise<unknown> }

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
    isVerified: isUserVerified =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}
