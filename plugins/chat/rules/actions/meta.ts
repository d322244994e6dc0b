import { Ask } from '../ask.ts'
import { listOf, type Node } from '../grammar/node.ts'
import { findWholePage } from '../resolve/pages.ts'
import { perform, type Work } from '../work.ts'
import { need, textOf, type Action } from './action.ts'
import { isAddress } from './values.ts'

type MetaName = 'title' | 'description' | 'ogImage'

const isMetaName = (name: string): name is MetaName => ['title', 'description', 'ogImage'].includes(name)

/** What search engines and link previews read of a page. */
export const setMeta: Action = (work, parts, detail) =>
  withMeta(work, findWholePage(work, parts['page']), { [detail]: checked(work, detail, textOf(need(parts, 'v'))) })

export const clearMeta: Action = (work, parts, detail) => withMeta(work, findWholePage(work, parts['page']), { [detail]: '' })

export const setMetas: Action = (work, parts) => {
  const entries = listOf(parts['metas']).map(({ form, parts: { v } }: Node) => [form, checked(work, form, textOf(v))])
  return withMeta(work, findWholePage(work, parts['page']), Object.fromEntries(entries))
}

function checked({ scene: { texts } }: Work, name: string, text: string): string {
  if (text.trim() === '') throw new Ask({ question: texts.emptyValue })
  const isImage = isAddress(text) && /^(?:https?:|\/)/i.test(text)
  if (name === 'ogImage' && !isImage) throw new Ask({ question: texts.wantsImage(texts.metaNames.ogImage) })
  return text
}

function withMeta(work: Work, pageSlug: string, values: Readonly<Record<string, string>>): Work {
  const patch = Object.fromEntries(Object.entries(values).filter(([name]) => isMetaName(name)))
  return { ...perform({ ...work, touched: undefined }, { op: 'update_page_meta', pageSlug, patch }), touchedPage: pageSlug }
}
