import * as v from 'valibot'
import { picked } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { object, optional, pageSlug, text } from './shapes.ts'
import { replacePage } from './state.ts'
import { findPage } from './target.ts'

const entry = optional(v.pipe(text, v.description('an empty text takes the entry away')))
const entries = { title: entry, description: entry, ogImage: entry }
const patch = object(entries, 'an object with title, description or ogImage')
const names = ['title', 'description', 'ogImage'] as const

export const updatePageMeta = defineOperation(
  'update_page_meta',
  { pageSlug, patch },
  {
    summary: 'Changes what search engines and link previews read of a page.',
    apply(state, op) {
      const page = findPage(state, op.pageSlug)
      const { meta: before = {}, ...others } = page
      const resolved = { ...op, pageSlug: page.slug }
      const changed = names.filter((name) => (op.patch[name] ?? before[name] ?? '') !== (before[name] ?? ''))
      if (changed.length === 0) {
        const because = 'the page has these entries already'
        return { op: resolved, skipped: { reason: 'unchanged_meta', because } }
      }
      const changes = changed.map((name) => [name, op.patch[name]] as const)
      const meta = picked<unknown>(
        { ...before, ...Object.fromEntries(changes) },
        (value, name) => value !== '' || !changed.some((each) => each === name),
      )
      replacePage(state, page, { ...others, ...(Object.keys(meta).length > 0 && { meta }) })
      return { op: resolved }
    },
  },
)
