import ICAL from 'ical.js'
import { send } from '../../factories.ts'

export const calendar = async (query = ''): Promise<string> =>
  (await send('GET', `/events.ics?${query}`)).text

/** The VEVENTs of a UID, each as its properties by name. */
export function eventsOf(text: string, uid: string): Record<string, string>[] {
  const root = new ICAL.Component(ICAL.parse(text))
  return root
    .getAllSubcomponents('vevent')
    .filter(event => event.getFirstPropertyValue('uid') === uid)
    .map(event =>
      Object.fromEntries(
        event.getAllProperties().map(property => [property.name, String(property.getFirstValue())]),
      ),
    )
}
