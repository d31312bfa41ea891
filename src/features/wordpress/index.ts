import { defineFeature } from '../../feature.ts'
import { mountWordpress, rootLink, wordpressAt } from './mount.ts'
import { SUBJECT } from './shapes.ts'

/** Routes of WordPress itself, in its shapes, for programs that use them beside the calendar, and its index of all routes. */
export const wordpressFeature = defineFeature({
  name: 'wordpress',
  subjects: {
    [SUBJECT]:
      'Routes of WordPress that clients of The Events Calendar use besides its own, in the format that they expect.',
  },
  mount: mountWordpress,
  documented: wordpressAt,
  headLinks: rootLink,
})
