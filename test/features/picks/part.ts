import { hex, randomHex, sha256 } from '../../../src/kit/lib/hash.ts'
import type { FeaturePart } from '../../feature-part.ts'

const UNREAD = "'2020-01-01 00:00:00'"

export const picksPart: FeaturePart = {
  backup: { pickLists: 'id version token_digest key_digest ids series read_utc' },
  fill: async ({ must }) => {
    await must('POST', '/picks', { ids: [1, 2], series: [1] })
  },
  due: {
    make: async ({ must, rows }) => {
      for (let i = 0; i < 3; i++) await must('POST', '/picks', { ids: [1] })
      await rows(`UPDATE pick_lists SET read_utc = ${UNREAD} WHERE id = 1`)
    },
    leftAt: () => ({
      unread: `SELECT count(*) AS n FROM pick_lists WHERE read_utc = ${UNREAD}`,
    }),
  },
  fromStrangers: { 'POST /picks': n => ({ ids: [n] }) },
  attacked: [
    {
      path: '/picks',
      // Both secrets are the same here, so that each route finds the list.
      makeRow: async ({ rows }) => {
        const token = randomHex(16)
        const digest = hex(await sha256(token))
        await rows(`INSERT INTO pick_lists (token_digest, key_digest, ids, series, read_utc)
        VALUES ('${digest}', '${digest}', '[1]', '[]', '2026-11-20 12:00:00')`)
        return token
      },
    },
  ],
}
