/** Types across plugins: events, collections, configuration. Compiled, never run. */
import * as v from 'valibot'
import { defineConfig } from '../../config/define-config.ts'
import { definePlugin, give, use } from '../../kernel/index.ts'
import { bus as busRef, defineEvent, type Bus } from '../../plugins/bus/port.ts'
import { defineCollection, type Store } from '../../plugins/store/port.ts'
import { same } from './same.ts'

declare const bus: Bus
declare const store: Store
declare const signal: AbortSignal

const changed = defineEvent(
  'draft.changed',
  v.object({
    siteId: v.string(),
    at: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
  }),
)
bus.subscribe(changed, (payload) => same<typeof payload, { siteId: string; at: Date }>(true), { signal })
// @ts-expect-error the payload is not what the event carries
void bus.publish(changed, { siteId: 1 })
// @ts-expect-error a subscription ends with a signal
bus.subscribe(changed, () => undefined)

give(busRef, bus)
// @ts-expect-error a store is not a bus
give(busRef, store)

const notes = defineCollection('notes', v.object({ text: v.string() }), {
  columns: { siteId: 'text', version: 'integer' },
  indexes: ['siteId'],
})
void store
  .of(notes)
  .get('scope', 'key')
  .then((found) => {
    // @ts-expect-error the document may be missing
    void found.body
    if (!found) return
    same<typeof found.body, { text: string }>(true)
    same<typeof found.columns, { readonly siteId: string; readonly version: number }>(true)
  })
void store.of(notes).rows('scope', { where: { siteId: 'a' }, orderBy: 'version' })
// @ts-expect-error no such column to index
defineCollection('notes', v.object({ text: v.string() }), { columns: { siteId: 'text' }, indexes: ['text'] })
// @ts-expect-error no such column to filter by
void store.of(notes).rows('scope', { where: { text: 'a' } })
// @ts-expect-error the column holds a number
void store.of(notes).rows('scope', { where: { version: '1' } })

const strict = definePlugin({ name: 'strict', tag: 'T', options: v.object({ level: v.picklist(['a', 'b']) }) }).setup(() => ({}))
defineConfig({
  shape: 'standalone',
  plugins: ['auth', './ours/slack.ts', ['@acme/audit', { any: 1 }], use(strict, { level: 'b' }), strict],
})
// @ts-expect-error not a built-in and not a path
defineConfig({ shape: 'standalone', plugins: ['oauth'] })
// @ts-expect-error options of a plugin value are checked by `use`
defineConfig({ shape: 'standalone', plugins: [use(strict, { level: 'c' })] })
// @ts-expect-error a site's routes are mounted by the site itself
defineConfig({ shape: 'site' })
