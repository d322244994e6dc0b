/** Plans for messages about the kayak site, in the notation of the forms. */
import { destructiveReasons, type Outcome, type PlanningInput } from '../../plugins/chat/port.ts'
import { planByRules } from '../../plugins/chat/rules/planner.ts'
import type { Props } from '../../plugins/content/model.ts'
import type { Operation } from '../../plugins/content/operations/index.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { requiredProps } from '../../plugins/content/fields.ts'
import { kayakPages } from '../fixtures/chat/site.ts'

export { planByRules }

/** The input for a message; `at` is the page, then what is selected: `/ b_hero_1.heading`. */
export function inputFor(at: string, message: string, more: Partial<PlanningInput> = {}): PlanningInput {
  const [slug = '/', selected] = at.split(' ')
  const [, blockId, path] = /^(\w+)(?:\.(.+))?$/.exec(selected ?? '') ?? []
  const draft = { version: 3, pages: kayakPages, config: {} }
  return {
    siteId: 'kayak',
    message,
    locale: 'en',
    draft,
    registry,
    selection: { slug, blockId, path },
    ...more,
  }
}

/** The examples of a form: page and selection, message, result. */
export const examplesOf = ({ examples }: { readonly examples: string }) =>
  examples
    .matchAll(/^ *(\/\S*(?: \S+)?): (.+) => (.+)$/gm)
    .map(([, at = '', message = '', result = '']) => ({ at, message, result }))
    .toArray()

/** Plans a message as the answer to the question that an earlier message leads to. */
export function answerTo(at: string, asked: string, message: string): Outcome {
  const first = planByRules(inputFor(at, asked))
  return planByRules(
    inputFor(at, message, first.kind === 'question' && first.open ? { open: first.open } : {}),
  )
}

const kinds = {
  unchanged: 'NOOP',
  question: 'CLARIFY',
  answer: 'INFO',
  variations: 'UNSUPPORTED',
  unsupported: 'UNSUPPORTED',
} as const

/** An outcome in the notation of the forms. */
export function notationOf(outcome: Outcome, input = inputFor('/', '')): string {
  if (outcome.kind !== 'plan') return kinds[outcome.kind]
  const { ops } = outcome.plan
  const reasons = destructiveReasons(ops, input.draft.pages).map(({ kind }) => kind)
  return `${stepsOf(ops).join('; ')}${reasons.length > 0 ? ` — HELD (${reasons.join(', ')})` : ''}`
}

export const resultOf = (at: string, message: string): string =>
  notationOf(planByRules(inputFor(at, message)))

/** A block that is added and then moved to the front is one step. */
function stepsOf(ops: readonly Operation[]): readonly string[] {
  return ops.flatMap((op, index) => {
    const [before, next] = [ops[index - 1], ops[index + 1]]
    const isMove = (move: typeof op | undefined, add: typeof op | undefined) =>
      move?.op === 'move_block' && add?.op === 'add_block' && move.blockId === add.block.id
    if (isMove(op, before)) return []
    return [isMove(next, op) ? stepOf(op).replace(' end on ', ' front on ') : stepOf(op)]
  })
}

const after = (anchor: string | number | undefined, otherwise = 'front'): string =>
  anchor === undefined ? otherwise : `after ${anchor}`
const to = (slug: string | undefined): string => (slug === undefined ? '' : ` to ${slug}`)

function stepOf(op: Operation): string {
  switch (op.op) {
    case 'update_props':
      return `set ${op.blockId} ${shown(op.patch)}`
    case 'update_item':
      return `item ${op.blockId}.${op.listKey}[${op.index}] ${shown(op.patch)}`
    case 'add_item':
      return `+item ${op.blockId}.${op.listKey} ${shown(beyond(op.item, defaultsOf(op.blockId, op.listKey)))}${op.afterIndex === undefined ? '' : ` after ${op.afterIndex}`}`
    case 'remove_item':
      return `-item ${op.blockId}.${op.listKey}[${op.index}]`
    case 'move_item':
      return `mvitem ${op.blockId}.${op.listKey}[${op.index}] ${after(op.afterIndex)}`
    case 'add_block': {
      const props = beyond(op.block.props, registry.get(op.block.type)?.starter() ?? {})
      const given = Object.keys(props).length > 0 ? ` ${shown(props)}` : ''
      return `+block ${op.block.type}${given} ${after(op.afterBlockId, 'end')} on ${op.pageSlug}`
    }
    case 'remove_block':
      return `-block ${op.blockId}`
    case 'move_block':
      return `mv ${op.blockId} ${after(op.afterBlockId)}`
    case 'duplicate_block':
      return `dup ${op.blockId}${to(op.toPageSlug)}`
    case 'create_page': {
      const blocks = (op.page.blocks ?? []).map(
        ({ type, props }) => `${type} ${shown(beyond(props, registry.get(type)?.starter() ?? {}))}`,
      )
      return `+page ${op.page.slug} "${op.page.title}" [${blocks.join(', ')}]`
    }
    case 'remove_page':
      return `-page ${op.pageSlug}`
    case 'rename_page':
      return `ren ${op.pageSlug}${to(op.newPageSlug)}${op.newTitle === undefined ? '' : ` titled "${op.newTitle}"`}`
    case 'move_page':
      return `mvpage ${op.pageSlug} ${after(op.afterPageSlug, 'first')}`
    case 'duplicate_page':
      return `duppage ${op.pageSlug}${to(op.newPageSlug)}`
    case 'update_page_meta':
      return `meta ${op.pageSlug} ${shown(op.patch)}`
    case 'update_site_config':
      return `site ${shown(op.patch)}`
  }
}

const defaultsOf = (blockId: string, listKey: string): Props => {
  const type = kayakPages.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId)?.type ?? ''
  return requiredProps(registry.get(type)?.fields[listKey]?.itemFields ?? {}, {})
}

const beyond = (props: Props, defaults: Props): Props =>
  Object.fromEntries(
    Object.entries(props).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
  )

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const key = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name))
  return `{${Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${key(name)}: ${shown(each)}`)
    .join(', ')}}`
}
