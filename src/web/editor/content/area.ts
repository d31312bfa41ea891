import { contentWords } from '../../../words/words.ts'
import type { Area } from '../area.ts'
import { contentForm } from './form-page.ts'
import { listRoute } from './list.ts'
import { organizerResource, venueResource } from './related.ts'
import { pathOf, type Resource } from './resource.ts'
import { categoryResource, tagResource } from './terms.ts'
import { removalRoutes } from './trash.ts'

const RESOURCES: readonly Resource[] = [venueResource, organizerResource, categoryResource, tagResource]

/** Venues, organizers, categories and tags. */
export const contentArea: Area = {
  routes: RESOURCES.flatMap(resource => [
    listRoute(resource),
    ...contentForm(resource),
    ...removalRoutes(resource),
  ]),
  menu: RESOURCES.map(resource => ({
    path: pathOf(resource),
    label: language => contentWords(language)[resource.name],
    requires: resource.requires,
  })),
}
