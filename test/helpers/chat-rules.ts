/** Plans for messages about the kayak site, in the notation of the examples, and the drafts that result. */
import type { PlanningInput } from '../../plugins/chat/types/planner.ts'
import type { OpenQuestion, Outcome } from '../../plugins/chat/types/plan.ts'
import { planByRules } from '../../plugins/chat-rules/plan-by-rules.ts'
import { applyBatch } from '../../plugins/content/batch.ts'
import { withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import { requiredProps } from '../../plugins/content/fields.ts'
import { itemSchemaOf } from '../../plugins/content/props-schema.ts'
import type { Draft, Manifest, Page, Props } from '../../plugins/content/model.ts'
import type { Operation } from '../../plugins/content/operations/index.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { demoPages } from '../../plugins/content/demo-pages.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { sameJson } from '../../plugins/content/same-json.ts'
import type { Spot, Step } from '../fixtures/chat/notation.ts'
import { kayakPages } from '../fixtures/chat/site.ts'
import { changed, draftOf } from './content.ts'

/** The input for a message; `at` is the page, then what is selected: `/ b_hero_1.heading`. */
export function inputFor(at: string, message: string, more: Partial<PlanningInput> = {}): PlanningInput {
  const [slug = '/', selected] = at.split(' ')
  const [, blockId, path] = /^(\w+)(?:\.(.+))?$/.exec(selected ?? '') ?? []
  return {
    siteId: 'kayak', message, locale: 'en', draft: { version: 3, pages: kayakPages, config: {} }, registry,
    selection: { slug, blockId, path }, ...more,
  }
}

/** Plans a message; with `asked`, as the answer to the question that this earlier message leads to. */
export function planFor(at: string, message: string, { asked, ...more }: Partial<PlanningInput> & { readonly asked?: string | undefined } = {}): Outcome {
  if (asked === undefined) return planByRules(inputFor(at, message, more))
  const first = planByRules(inputFor(at, asked, more))
  return planByRules(inputFor(at, message, { ...more, ...(first.kind === 'question' && first.open && { open: first.open }) }))
}

/** The answer where a suggestion asks for a text. */
export const answer = 'Entirely other words'

/** The operations of a clicked suggestion, after its question for a text is answered if it asks one. */
export function clicked(input: PlanningInput, suggestion: string, open?: OpenQuestion) {
  const outcome = planByRules({ ...input, message: suggestion, ...(open && { open }) })
  if (outcome.kind === 'plan') return { ops: outcome.plan.ops, isAsked: false }
  const answered = outcome.kind === 'question' && outcome.open ? planByRules({ ...input, message: answer, open: outcome.open }) : outcome
  return answered.kind === 'plan' ? { ops: answered.plan.ops, isAsked: true } : undefined
}

const kayakDraft = (): Draft => draftOf(kayakPages)

/** The draft after a plan; throws if it cannot be applied. */
export function draftAfterPlan(ops: readonly Operation[], draft: Draft = kayakDraft(), manifest?: Manifest): Draft {
  const result = applyBatch(draft, ops, { source: 'planner', registry, manifest, now: new Date('2026-06-01T00:00:00.000Z') })
  if (!result.ok) throw new Error(`${result.message} in ${JSON.stringify(ops)}`)
  return changed(draft, result.change)
}

/** The same input after a plan; the selected page may have a new slug. */
export function inputAfter(input: PlanningInput, ops: readonly Operation[]): PlanningInput {
  const draft = draftAfterPlan(ops, draftOf(input.draft.pages), input.manifest)
  const pages = draft.order.flatMap((slug) => draft.page(slug) ?? [])
  const renamed = ops.flatMap((op) => (op.op === 'rename_page' && op.pageSlug === input.selection.slug && op.newPageSlug !== undefined ? [op.newPageSlug] : []))
  return { ...input, draft: { version: 2, pages, config: draft.config }, selection: { slug: renamed.at(-1) ?? input.selection.slug } }
}

/** Operations in the notation of the examples. */
export function stepsOf(ops: readonly Operation[]): readonly Step[] {
  const ids = new Map<string, string>()
  const name = (id: string) => ids.get(id) ?? id
  const spot = (id: string | undefined): Spot => (id === undefined ? 'front' : { after: name(id) })
  const steps: Step[] = []
  for (const op of ops) {
    const last = steps.at(-1)
    if (op.op === 'add_block') {
      ids.set(op.block.id, `$${ids.size + 1}`)
      const { pageSlug: page, block: { type, props } } = op
      steps.push({ do: 'add block', type, props: beyond(props, registry.get(type)?.starter() ?? {}), page, spot: op.afterBlockId === undefined ? 'end' : spot(op.afterBlockId) })
    } else if (op.op === 'move_block' && last?.do === 'add block' && name(op.blockId) === `$${ids.size}`) {
      steps.splice(-1, 1, { ...last, spot: spot(op.afterBlockId) })
    } else if (op.op === 'move_item' && last?.do === 'add item' && last.list === `${op.blockId}.${op.listKey}` && op.afterIndex === undefined) {
      steps.splice(-1, 1, { ...last, spot: 'front' })
    } else {
      steps.push(stepOf(op, spot))
    }
  }
  return steps
}

function stepOf(op: Exclude<Operation, { op: 'add_block' }>, spot: (id: string | undefined) => Spot): Step {
  switch (op.op) {
    case 'update_props': return { do: 'set', block: op.blockId, props: op.patch }
    case 'update_item': return { do: 'item', row: rowName(op), props: op.patch }
    case 'add_item': {
      const list = `${op.blockId}.${op.listKey}`
      return { do: 'add item', list, props: beyond(op.item, defaultsOf(list)), spot: op.afterIndex === undefined ? 'end' : { after: op.afterIndex } }
    }
    case 'remove_item': return { do: 'remove item', row: rowName(op) }
    case 'move_item': return { do: 'move item', row: rowName(op), spot: op.afterIndex === undefined ? 'front' : { after: op.afterIndex } }
    case 'remove_block': return { do: 'remove block', block: op.blockId }
    case 'move_block': return { do: 'move block', block: op.blockId, spot: spot(op.afterBlockId) }
    case 'duplicate_block':
      return { do: 'copy block', block: op.blockId, page: op.toPageSlug, spot: op.afterBlockId === undefined ? undefined : spot(op.afterBlockId) }
    case 'create_page': {
      const blocks = (op.page.blocks ?? []).map(({ type, props }) => [type, beyond(props, registry.get(type)?.starter() ?? {})] as const)
      return { do: 'add page', slug: op.page.slug, title: op.page.title ?? '', blocks }
    }
    case 'remove_page': return { do: 'remove page', slug: op.pageSlug }
    case 'rename_page': return { do: 'rename page', slug: op.pageSlug, to: op.newPageSlug, title: op.newTitle }
    case 'move_page': return { do: 'move page', slug: op.pageSlug, spot: spot(op.afterPageSlug) }
    case 'duplicate_page': return { do: 'copy page', slug: op.pageSlug, to: op.newPageSlug, title: op.newTitle }
    case 'update_page_meta': return { do: 'meta', slug: op.pageSlug, props: op.patch }
    case 'update_site_config': return { do: 'site', props: op.patch }
  }
}

const rowName = ({ blockId, listKey, index }: { readonly blockId: string; readonly listKey: string; readonly index: number }) =>
  `${blockId}.${listKey}[${index}]`

/** The props that differ from their defaults. */
const beyond = (props: Props, defaults: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([name, value]) => !sameJson(value, defaults[name])))

function defaultsOf(list: string): Props {
  const [id, listKey = ''] = list.split('.')
  const type = registry.get([...kayakPages, ...demoPages].flatMap(({ blocks }) => blocks).find((block) => block.id === id)?.type ?? '')
  return requiredProps(type?.fields[listKey]?.itemFields ?? {}, itemSchemaOf(type?.propsSchema.properties?.[listKey]) ?? {})
}

// Drafts -------------------------------------------------------------------------------------------------------------

/** The parts of a page that the examples specify; new blocks have no id. */
interface Sketch {
  slug: string
  title: string
  meta: Props
  blocks: { id: string; type: string; props: Props }[]
}

/** The pages and settings of a draft without timestamps and generated ids. */
export function sketchOf(draft: Draft, site: readonly Page[] = kayakPages) {
  const known = new Set(site.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const pages = draft.order.map((slug) => draft.page(slug)).filter((page) => page !== undefined)
  return {
    pages: pages.map((page: Page): Sketch => ({
      slug: page.slug,
      title: page.title,
      meta: page.meta ?? {},
      blocks: page.blocks.map(({ id, type, props }) => ({ id: known.has(id) ? id : 'new', type, props: withoutGeneratedItemIds(props) })),
    })),
    config: draft.config,
  }
}

/** The expected draft after these steps, computed from the notation alone. */
export function sketchAfter(steps: readonly Step[], site: readonly Page[] = kayakPages) {
  const sketch = sketchOf(draftOf(site), site)
  const { pages } = sketch
  let { config } = sketch
  let added = 0
  const pageWith = (id: string) => pages.find(({ blocks }) => blocks.some((block) => block.id === id)) ?? fail(id)
  const blockWith = (id: string) => pageWith(id).blocks.find((block) => block.id === id) ?? fail(id)
  const pageAt = (slug: string) => pages.find((page) => page.slug === slug) ?? fail(slug)
  for (const step of steps) {
    switch (step.do) {
      case 'set': {
        const block = blockWith(step.block)
        block.props = { ...block.props, ...step.props }
        break
      }
      case 'item': case 'add item': case 'remove item': case 'move item': {
        const [, id = '', key = '', index] = /^(\w+)\.(\w+)(?:\[(\d+)\])?$/.exec(step.do === 'add item' ? step.list : step.row) ?? []
        const block = blockWith(id)
        const rows = Array.isArray(block.props[key]) ? block.props[key].filter(isPlainObject) : []
        block.props = { ...block.props, [key]: rowsAfter(rows, step, Number(index), id === '' ? '' : `${id}.${key}`) }
        break
      }
      case 'add block': {
        added += 1
        const { role, ...starter } = { ...registry.get(step.type)?.starter() }
        // The author of a quote gets no role unless the message names one.
        const props = { ...choicesOf(step.type), ...starter, ...(role !== undefined && !('author' in step.props) && { role }), ...step.props }
        insert(pageAt(step.page).blocks, { id: `$${added}`, type: step.type, props }, step.spot)
        break
      }
      case 'remove block': {
        const page = pageWith(step.block)
        page.blocks = page.blocks.filter(({ id }) => id !== step.block)
        break
      }
      case 'move block': {
        const page = pageWith(step.block)
        const block = blockWith(step.block)
        page.blocks = page.blocks.filter(({ id }) => id !== step.block)
        insert(page.blocks, block, step.spot)
        break
      }
      case 'copy block': {
        const copy = { ...blockWith(step.block), id: 'new' }
        const page = step.page === undefined ? pageWith(step.block) : pageAt(step.page)
        insert(page.blocks, copy, step.spot ?? (step.page === undefined ? { after: step.block } : 'end'))
        break
      }
      case 'add page':
        pages.push({ slug: step.slug, title: step.title, meta: {}, blocks: step.blocks.map(([type, props]) => ({ id: 'new', type, props: { ...registry.get(type)?.starter(), ...props } })) })
        break
      case 'remove page': pages.splice(pages.indexOf(pageAt(step.slug)), 1); break
      case 'rename page': {
        const page = pageAt(step.slug)
        page.slug = step.to ?? page.slug
        page.title = step.title ?? (step.to === undefined ? page.title : step.to.slice(1).replace(/\b\w/g, (letter) => letter.toUpperCase()).replaceAll('-', ' '))
        if (step.to !== undefined) for (const { blocks } of pages) for (const block of blocks) block.props = renamed(block.props, step.slug, step.to)
        break
      }
      case 'move page': {
        const page = pageAt(step.slug)
        pages.splice(pages.indexOf(page), 1)
        const { spot } = step
        pages.splice(spot === 'front' ? 1 : spot === 'end' ? pages.length : pages.findIndex(({ slug }) => slug === spot.after) + 1, 0, page)
        break
      }
      case 'copy page': {
        const page = pageAt(step.slug)
        const blocks = page.blocks.map((block) => ({ ...block, id: 'new' }))
        const titled = step.title === undefined ? page.meta : { ...page.meta, title: step.title }
        pages.splice(pages.indexOf(page) + 1, 0, { ...page, slug: step.to ?? `${page.slug}-copy`, title: step.title ?? `${page.title} Copy`, meta: titled, blocks })
        break
      }
      case 'meta': {
        const page = pageAt(step.slug)
        page.meta = Object.fromEntries(Object.entries({ ...page.meta, ...step.props }).filter(([, value]) => value !== ''))
        break
      }
      case 'site': config = { ...config, ...step.props }
    }
  }
  for (const { blocks } of pages) for (const block of blocks) if (block.id.startsWith('$')) block.id = 'new'
  return { pages, config }
}

/** The defaults of the optional enum props of a type. */
function choicesOf(type: string): Props {
  const { properties = {}, required = [] } = registry.get(type)?.propsSchema ?? {}
  return Object.fromEntries(Object.entries(properties)
    .filter(([name, schema]) => schema.enum && schema.default !== undefined && !required.includes(name))
    .map(([name, schema]) => [name, schema.default]))
}

function rowsAfter(rows: readonly Props[], step: Extract<Step, { do: 'item' | 'add item' | 'remove item' | 'move item' }>, index: number, list: string): readonly Props[] {
  if (step.do === 'item') return rows.with(index, { ...rows[index], ...step.props })
  if (step.do === 'remove item') return rows.toSpliced(index, 1)
  if (step.do === 'add item') {
    const place = step.spot === 'end' ? rows.length : step.spot === 'front' ? 0 : Number(step.spot.after) + 1
    return rows.toSpliced(place, 0, { ...defaultsOf(list), ...step.props })
  }
  const after = step.spot === 'front' ? -1 : step.spot === 'end' ? rows.length - 1 : Number(step.spot.after)
  return rows.toSpliced(index, 1).toSpliced(after < index ? after + 1 : after, 0, rows[index] ?? {})
}

function insert<T extends { readonly id: string }>(blocks: T[], block: T, spot: Spot): void {
  const place = spot === 'end' ? blocks.length : spot === 'front' ? 0 : blocks.findIndex(({ id }) => id === spot.after) + 1
  blocks.splice(place, 0, block)
}

const renamed = (props: Props, from: string, to: string): Props =>
  Object.fromEntries(Object.entries(props).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((row: unknown) => (isPlainObject(row) ? renamed(row, from, to) : row))]
    return [name, value === from && name.endsWith('Href') ? to : value]
  }))

function fail(what: string): never {
  throw new Error(`There is no ${what} in the examples.`)
}
