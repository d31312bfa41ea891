import { sql } from 'drizzle-orm'
import { many, mapped, readNumber } from '../../../kit/db/query.ts'
import { events } from '../../../kit/db/tables.ts'
import { html, icon } from '../../../site/html/html.ts'
import type { Slots } from '../../../site/html/slots.ts'
import { textsIn } from '../../../words/words.ts'
import { registerPath } from '../links.ts'
import { registrationOf } from '../occasion.ts'
import { isRegistrationOn } from '../requirements.ts'

/**
 * The button on the page of an event. How many places are left is on the page to which it leads, which
 * nothing keeps.
 */
export const registerButton: NonNullable<NonNullable<Slots['parts']>['eventAction']> = {
  raisesRevision: true,
  select: ({ context, language }, ids) =>
    mapped(
      many(
        sql`SELECT id FROM ${events} WHERE ${events.id} IN (${ids}) AND ${registrationOf(sql`${events.id}`)} IS NOT NULL`,
        { id: readNumber },
      ),
      rows =>
        ({ id, ticket_availability }) => {
          const words = textsIn(language).registration
          const text =
            ticket_availability === 'waitlist'
              ? words.join
              : ticket_availability === 'sold_out'
                ? words.soldOut
                : words.register
          return isRegistrationOn(context) && rows.some(row => row.id === id)
            ? html`<a class="button" href="${registerPath(id)}">${icon('ticket')}<span>${text}</span></a>`
            : ''
        },
    ),
}
