import * as v from 'valibot'
import { defineOperation } from './definition.ts'
import { findPage } from './find.ts'
import { object, operation, optional, pageSlug } from './shapes.ts'
import { replacePage } from './state.ts'

const text = optional(v.pipe(v.string('wanted a text'), v.description('an empty text takes the entry away')))
const entries = { title: text, description: text, ogImage: text }
const names = ['title', 'description', 'ogImage'] as const

export const updatePageMeta = defineOperation({
  name: 'update_page_meta',
  summary: 'Changes what search engines and link previews read of a page.',
  structural: false,
  schema: operation('update_page_meta', {
    pageSlug,
    patch: object(entries, 'an object with title, description or ogImage'),
  }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const page = findPage(state, op.pageSlug)
    const { meta: before = {}, ...others } = page
    const resolved = { ...op, pageSlug: page.slug }
    const changed = names.filter((name) => (op.patch[name] ?? before[name] ?? '') !== (before[name] ?? ''))
    if (changed.length === 0) {
      return { op: resolved, skipped: { reason: 'unchanged_meta', because: 'the page has these entries already' } }
    }
    const meta: Record<string, unknown> = { ...before }
    for (const name of changed) {
      if (op.patch[name]) meta[name] = op.patch[name]
      else delete meta[name]
    }
    replacePage(state, page, { ...others, ...(Object.keys(meta).length > 0 && { meta }) })
    return { op: resolved }
  },
})
