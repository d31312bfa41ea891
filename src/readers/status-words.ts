import { memoize } from '../kit/lib/memo.ts'
import { type EventStatus, lessPublic, type Status, type TicketAvailability } from '../kit/lib/statuses.ts'
import { fold } from '../kit/lib/text.ts'

// The words by which other calendars say whether an event takes place, and whether it is published. Case and
// accents don't count.

/** The meaning of another calendar's status. */
type StatusReading = {
  event_status: EventStatus
  status: Extract<Status, 'publish' | 'draft' | 'private'>
  ticket_availability?: TicketAvailability
}

const TAKES_PLACE: StatusReading = { event_status: 'scheduled', status: 'publish' }

const READINGS: readonly (readonly [StatusReading, string])[] = [
  [
    TAKES_PLACE,
    'scheduled, confirmed, planned, published, publish, public, live, active, upcoming, open, on sale, started, completed, ended, past, done, geplant, bestätigt, veröffentlicht, öffentlich, aktiv, findet statt, programmé, programmée, confirmé, confirmée, prévu, prévue, maintenu, maintenue, publié, publiée, actif, active, programado, programada, confirmado, confirmada, previsto, prevista, publicado, publicada, activo, activa, eventscheduled, eventmovedonline',
  ],
  [
    { ...TAKES_PLACE, event_status: 'canceled' },
    'canceled, cancelled, cancel, called off, abgesagt, storniert, entfällt, entfallen, fällt aus, annulé, annulée, supprimé, supprimée, cancelado, cancelada, anulado, anulada, suspendido, suspendida, geannuleerd, afgelast, annullato, annullata, eventcancelled, eventcanceled',
  ],
  [
    { ...TAKES_PLACE, event_status: 'postponed' },
    'postponed, deferred, verschoben, vertagt, reporté, reportée, ajourné, ajournée, aplazado, aplazada, pospuesto, pospuesta, uitgesteld, rinviato, rinviata, eventpostponed',
  ],
  [
    { ...TAKES_PLACE, event_status: 'rescheduled' },
    'rescheduled, moved, verlegt, neuer termin, reprogrammé, reprogrammée, déplacé, déplacée, reprogramado, reprogramada, eventrescheduled',
  ],
  [
    { ...TAKES_PLACE, ticket_availability: 'sold_out' },
    'sold out, ausverkauft, ausgebucht, complet, complète, agotado, agotada, agotadas, uitverkocht',
  ],
  [
    { ...TAKES_PLACE, status: 'draft' },
    'draft, pending, unpublished, not published, in review, pending review, awaiting approval, entwurf, ausstehend, unveröffentlicht, nicht veröffentlicht, in prüfung, brouillon, en attente, non publié, non publiée, borrador, pendiente, no publicado, no publicada, en revisión, concept',
  ],
  [{ ...TAKES_PLACE, status: 'private' }, 'private, privat, privé, privée, privado, privada, hidden'],
]

/** The readings by their words, built at the first look-up. */
const byWord = memoize(
  () =>
    new Map(
      READINGS.flatMap(([reading, words]) =>
        words.split(', ').map((word): [string, StatusReading] => [fold(word), reading]),
      ),
    ),
)

/**
 * Reads the status of an event; undefined for an unknown word. Readers must not publish such an event as one
 * that takes place.
 */
export const statusNamed = (text: string): StatusReading | undefined => byWord().get(fold(text))

/** The meaning of the status of an event, which may be one word or several. */
export type SaidStatuses = Omit<Partial<StatusReading>, 'status'> & { status: Status }

/** Statuses of an event, from what brings people to what keeps them away. */
const BY_GRAVITY: readonly EventStatus[] = ['scheduled', 'rescheduled', 'postponed', 'canceled']

/** Combines two statuses: the event status that keeps more people away, and the less public status. */
export function graverStatuses(statusesA: SaidStatuses, statusesB: SaidStatuses): SaidStatuses {
  const [first = 0, second = 0] = [statusesA, statusesB].map(said =>
    BY_GRAVITY.indexOf(said.event_status ?? 'scheduled'),
  )
  const { event_status } = first > second ? statusesA : statusesB
  return {
    ...statusesA,
    ...statusesB,
    ...(event_status && { event_status }),
    status: lessPublic(statusesA.status, statusesB.status),
  }
}
