import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { readdirSync } from 'node:fs'
const mf = new Miniflare(convertV4MiniflareOptions({ name:'service', modules: true, script: 'export default {fetch(){return new Response("x")}}', compatibilityDate:'2026-09-18', d1Databases:{DB: '00000000-0000-0000-0000-000000000000'}, resourcePersistencePath: '/tmp/b10/v3' }))
const db = await mf.getD1Database('DB')
const q = async (n, s,...p) => { try { const r = await db.prepare(s).bind(...p).all(); console.log(n.padEnd(40), r.meta.rows_read, r.results.length, r.meta.duration, JSON.stringify(r.results.slice(0,1)).slice(0,100)) } catch (e) { console.log(n, e.message) } }
const N = 50
const ids = `SELECT event_id AS id FROM listings WHERE facet='event' AND target_id=0 AND utc_start_date >= '2026-11-19' ORDER BY utc_start_date, event_id LIMIT ${N}`
await q('ids', ids)
await q('page cte rn', `WITH page(position,id) AS MATERIALIZED (SELECT row_number() OVER (), id FROM (${ids})) SELECT * FROM page`)
await q('page cte json', `WITH page(position,id) AS MATERIALIZED (SELECT key, value FROM json_each((SELECT json_group_array(id) FROM (${ids})))) SELECT * FROM page`)
const W = `WITH page(position,id) AS MATERIALIZED (SELECT row_number() OVER (), id FROM (${ids}))`
await q('events', `${W} SELECT events.* FROM page CROSS JOIN events ON events.id=page.id`)
await q('events+vids', `${W} SELECT events.id, (SELECT json_group_array(target_id ORDER BY position) FROM event_venues WHERE event_id=events.id) FROM page CROSS JOIN events ON events.id=page.id`)
await q('events+vids noorder', `${W} SELECT events.id, (SELECT json_group_array(target_id) FROM event_venues WHERE event_id=events.id) FROM page CROSS JOIN events ON events.id=page.id`)
await q('events+tids', `${W} SELECT events.id, (SELECT json_group_array(target_id) FROM event_terms WHERE event_id=events.id) FROM page CROSS JOIN events ON events.id=page.id`)
await q('venues in', `${W} SELECT venues.* FROM venues WHERE id IN (SELECT target_id FROM page CROSS JOIN event_venues ON event_id=page.id)`)
await q('terms in', `${W} SELECT terms.* FROM terms WHERE id IN (SELECT target_id FROM page CROSS JOIN event_terms ON event_id=page.id)`)
await q('terms grouped', `${W} SELECT uses, terms.* FROM (SELECT target_id, json_group_array(page.position) AS uses FROM page CROSS JOIN event_terms ON event_id=page.id GROUP BY target_id) AS linked CROSS JOIN terms ON terms.id=target_id`)
await q('venues grouped', `${W} SELECT uses, venues.* FROM (SELECT target_id, json_group_array(json_array(page.position, event_venues.position)) AS uses FROM page CROSS JOIN event_venues ON event_id=page.id GROUP BY target_id) AS linked CROSS JOIN venues ON venues.id=target_id`)
await q('terms grouped+window', `${W} SELECT * FROM (SELECT uses, terms.*, sum(octet_length(description)+octet_length(name)) OVER (ORDER BY terms.id) AS running FROM (SELECT target_id, json_group_array(page.position) AS uses FROM page CROSS JOIN event_terms ON event_id=page.id GROUP BY target_id) AS linked CROSS JOIN terms ON terms.id=target_id) WHERE running < 4000000`)
await q('terms ungrouped', `${W} SELECT page.position, terms.* FROM page CROSS JOIN event_terms ON event_id=page.id CROSS JOIN terms ON terms.id=target_id`)
await q('link pairs', `${W} SELECT page.position, target_id FROM page CROSS JOIN event_terms ON event_id=page.id`)
await mf.dispose()
