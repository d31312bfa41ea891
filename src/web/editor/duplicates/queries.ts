import { selectDuplicateCount } from '../../../resources/duplicates/queries.ts'
import { MOST_WAITING } from '../admin.ts'
import { SOURCES } from '../origins.ts'

export const DUPLICATES = `${SOURCES}duplicates/`

/** The former address of the page of duplicates, which stands in mails. */
export const FORMER_DUPLICATES = `${SOURCES}twins/`

/** A query of the number of undecided pairs, up to the limit of the menu. */
export const selectAsked = selectDuplicateCount({}, MOST_WAITING)
